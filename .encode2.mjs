import {openEncoder} from './domain/meaning/encoder/open-encoder.ts';
import {passagesOf} from './domain/meaning/passages-of-film.ts';
import {readFileSync,appendFileSync} from 'node:fs';import {gunzipSync} from 'node:zlib';
const part=Number(process.argv[2]),parts=Number(process.argv[3]);
const M='/work/shared/media/';
const order=JSON.parse(readFileSync('/tmp/mean/order.json','utf8'));
const at=new Map(order.map((id,i)=>[id,i]));
const mine=new Set(order.filter((_,i)=>i%parts===part));
let docs=['corpus-open.jsonl.gz','corpus-open-more.jsonl.gz'].flatMap(f=>gunzipSync(readFileSync(M+f)).toString().split('\n').filter(Boolean).map(l=>JSON.parse(l)).filter(d=>mine.has(d.id)).map(d=>({id:d.id,t:d.lines.map(l=>l.text)})));
docs.sort((a,b)=>at.get(a.id)-at.get(b.id));
const e=await openEncoder();let n=0;const t0=performance.now();
for(const d of docs){const ws=passagesOf(d.t);const v=await e(ws.map(w=>d.t.slice(w.from,w.to).join(' ')));
const out=Buffer.alloc(ws.length*512);v.forEach((x,i)=>{for(let j=0;j<512;j++)out.writeInt8(Math.max(-127,Math.min(127,Math.round(x[j]*600))),i*512+j)});
appendFileSync(`/tmp/mean/A${part}.bin`,out);appendFileSync(`/tmp/mean/A${part}.jsonl`,JSON.stringify({id:d.id,w:ws.map(w=>[w.from,w.to])})+'\n');
if(++n%25===0)console.log(n,'of',docs.length,Math.round((performance.now()-t0)/1000),process.cpuUsage().user/1e6)}
