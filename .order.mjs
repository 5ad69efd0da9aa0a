import {readFileSync,writeFileSync} from 'node:fs';import {gunzipSync} from 'node:zlib';
const M='/work/shared/media/';
const docs=['corpus-open.jsonl.gz','corpus-open-more.jsonl.gz'].flatMap(f=>gunzipSync(readFileSync(M+f)).toString().split('\n').filter(Boolean).map(l=>JSON.parse(l))).filter(d=>d.language.startsWith('en')).map(d=>d.id);
const done=new Set(readFileSync('/tmp/mean/A.jsonl','utf8').split('\n').filter(Boolean).map(l=>JSON.parse(l).id));
const G=JSON.parse(readFileSync('/tmp/mean/gate.json','utf8')).filter(d=>d.set==='meaning');const c=new Map();
for(const d of G)d.rank.forEach((r,i)=>c.set(r[0],(c.get(r[0])||0)+1/(1+i)));
const rest=docs.filter(d=>!done.has(d)).sort((a,b)=>(c.get(b)||0)-(c.get(a)||0));
console.log(docs.length,done.size,rest.length,'in lists',rest.filter(d=>c.has(d)).length);
writeFileSync('/tmp/mean/order.json',JSON.stringify(rest));
