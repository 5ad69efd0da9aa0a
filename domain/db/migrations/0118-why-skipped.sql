-- Why a step was skipped, where viewers are told of it too, as a code; its message stays for editors, and for
-- servers of the version before. Until now the sentences stood for the code.
alter table ingest_steps add column reason jsonb;
update ingest_steps set reason = '{"is": "no-recogniser"}'
 where step = 'speech' and state = 'skipped' and message = 'No speech text: no recogniser configured.';
update ingest_steps set reason = '{"is": "nobody-speaks"}'
 where step = 'speech' and state = 'skipped' and message = 'Nobody speaks in it.';
update ingest_steps i set reason = jsonb_build_object('is', 'other-language', 'understood', said.parts[1], 'language', said.parts[2])
  from (select video_id, step,
               regexp_match(message, '^Meaning is understood in (.*) only, and this film is in another language \((.*)\)\.$') as parts
          from ingest_steps where step = 'meaning' and state = 'skipped') as said
 where i.video_id = said.video_id and i.step = said.step and said.parts is not null;
