import { openDatabase } from './domain/db/open-database.ts';
import { findFilmToEncode, keepMeaning } from './domain/meaning/film-meaning.ts';
import { passagesOf } from './domain/meaning/passages-of-film.ts';
import { openEncoder } from './domain/meaning/encoder/open-encoder.ts';
import { encoderName } from './domain/meaning/encoder/encoder-files.ts';
import { signsOf } from './domain/meaning/signs.ts';
import { existsSync, readFileSync } from 'node:fs';
const d=await openDatabase({ dataFolder:'/tmp/mean/eval', tied:true, migratesWithoutBackup:true });
const ids=new Map((await d.pool.query('select id, external_id as doc from videos')).rows.map(r=>[r.doc,r.id]));
const e=await openEncoder();let n=0,bad=0,bytes=0;
for(const f of ['A','A0','A1','A2']){const V=new Int8Array(readFileSync(`/tmp/mean/${f}.bin`).buffer);let o=0;
 for(const line of readFileSync(`/tmp/mean/${f}.jsonl`,'utf8').split('\n').filter(Boolean)){let m;try{m=JSON.parse(line)}catch{break}const k=m.w.length;if((o+k)*512>V.length)break;
  const film=await findFilmToEncode(d.pool,ids.get(m.id));
  const vs=[];for(let i=0;i<k;i++)vs.push(Float32Array.from(V.subarray((o+i)*512,(o+i+1)*512)));o+=k;
  const ps='not' in film?[]:passagesOf(film.lines);
  if(ps.length!==k||ps.some((p,i)=>p.from!==m.w[i][0]||p.to!==m.w[i][1])){bad++;continue}
  const [t]=await e([film.title]);const signs=signsOf([t,...vs]);bytes+=signs.length;
  await keepMeaning(d.pool,film,{engine:encoderName,signs});n++}}
console.log({n,bad,bytes});console.log((await d.pool.query("select pg_total_relation_size('film_meaning') t")).rows);
await d.close();
