-- What a film was understood with is told by its steps' results. Until now these steps had one engine each, in one version: nothing needs to be read again for it.
update ingest_steps i
   set result = i.result || jsonb_build_object('engine', used.engine, 'engineVersion', used.version)
  from (values ('text', 'PaddleOCR', 'PP-OCRv4'),
               ('people', 'BlazeFace, FaceMesh, FaceRes', '3.3.6'),
               ('labels', 'CenterNet', '3.3.6'),
               ('brands', 'List of brands', '1'),
               ('keywords', 'Word counts', '1'),
               ('meaning', 'Universal Sentence Encoder lite 1', '0.2.0')) as used (step, engine, version)
 where i.step = used.step and jsonb_typeof(i.result) = 'object' and not i.result ? 'engine';
