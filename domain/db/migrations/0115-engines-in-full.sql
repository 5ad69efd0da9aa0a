-- What a film was understood with is told by the results of these steps too, and by brands with the version. Until now each had one engine, in one version:
-- nothing needs to be read again for it.
update ingest_steps i
   set result = i.result || jsonb_build_object('engine', used.engine, 'engineVersion', used.version)
  from (values ('shots', 'Shots in small pictures', '1'),
               ('picture-subtitles', 'PaddleOCR on subtitles', 'PP-OCRv4')) as used (step, engine, version)
 where i.step = used.step and jsonb_typeof(i.result) = 'object' and not i.result ? 'engine';

-- Texts have a reader of the same name: moments are named anew when a film is put together again.
update layers set engines = array_replace(engines, 'PaddleOCR PP-OCRv4', 'PaddleOCR on subtitles PP-OCRv4') where made_by = 'picture-subtitles';
update layers set engines = array_replace(engines, 'List of brands', 'List of brands 1') where 'List of brands' = any (engines);
update moments set engines = array_replace(engines, 'List of brands', 'List of brands 1') where 'List of brands' = any (engines);
