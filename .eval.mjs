import { openDatabase } from './domain/db/open-database.ts';
import { addressOf } from './domain/db/database.ts';
import { openArchiveSearch } from './domain/search/open-search.ts';
import { openMeaningProcess } from './domain/meaning/meaning-process.ts';
import { Deadline } from './domain/scheduling/deadline.ts';
import { judge, readNeedsBySet } from './bench/find-needs.ts';
const d=await openDatabase({ dataFolder:'/tmp/mean/eval', tied:true, migratesWithoutBackup:true });
const meaning=openMeaningProcess({address:addressOf(d.pool),findsWithinMs:60000});
const s=openArchiveSearch({pool:d.pool,indexFolder:'/tmp/mean/eval/index',budgetBytes:200e6,meaning});
const ids=new Map((await d.pool.query('select id, external_id as doc from videos')).rows.map(r=>[r.id,r.doc]));
await meaning.find('warm up',{limit:1,among:[]});
for(const f of process.argv.slice(2)){for(const [set,needs] of readNeedsBySet(f)){if(set==='clip'||set==='onscreen')continue;const c={first:0,in12:0,rightSecond:0,opened:0,badged:0};let cpu=0;
 for(const n of needs){const a=await s.answer({query:[n.query],skip:0,pageSize:12,purpose:'results',allowsMeaning:true},{deadline:new Deadline(120000)});
  const page=a.results.map(v=>({doc:ids.get(v.video.id)??'',matchSeconds:v.matches.map(m=>m.startMs/1000)}));const j=judge(n,page);for(const k of ['first','in12','rightSecond'])if(j[k])c[k]++;
  if(a.results.some(v=>v.matches.some(m=>m.isByMeaning)))c.opened++;c.badged+=a.results.filter(v=>v.isByMeaning).length}
 console.log(JSON.stringify({file:f.split('/').at(-1),set,queries:needs.length,...c}))}}
s.close();await d.close();process.exit();
