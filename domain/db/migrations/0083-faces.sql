-- A person's name is given to a face by when and where it is seen: left, top, width and height in thousandths of the picture.
alter table corrections add column place int[] check (cardinality(place) = 4);

-- `Unknown 1` is nobody, as `Speaker 0` is: films that name such people lose them, and are indexed anew. The pattern is that of `isNobody`.
update videos v
   set people = array(select p from unnest(v.people) with ordinality as named (p, position)
                       where p !~* '^\s*unknown[\s_#.-]*\d{1,3}\s*$' order by position),
       revision = revision + 1, modified_at = now()
 where exists (select from unnest(v.people) p where p ~* '^\s*unknown[\s_#.-]*\d{1,3}\s*$')
    or exists (select from moments m where m.video_id = v.id and m.body ~* '\t[ ]*unknown[ _#.-]*\d{1,3}[ ]*(\t|\n|$)');
