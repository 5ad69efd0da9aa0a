-- What the archive holds at all is asked with its pages: a layer without a line or a name promises nothing.
create index layers_that_hold on layers (name) where body <> '' or facts -> 'names' <> '[]';
