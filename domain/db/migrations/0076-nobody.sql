-- `Speaker 0` is nobody: films that name such people lose them, and those whose lines do are indexed anew. The pattern is that of `isNobody`.
update videos v
   set people = array(select p from unnest(v.people) with ordinality as named (p, place)
                       where p !~* '^\s*((unknown|unidentified)[\s_-]*)?(speaker|spk)[\s_#.-]*\d{0,3}\s*$' order by place),
       revision = revision + 1, modified_at = now()
 where exists (select from unnest(v.people) p where p ~* '^\s*((unknown|unidentified)[\s_-]*)?(speaker|spk)[\s_#.-]*\d{0,3}\s*$')
    or exists (select from moments m where m.video_id = v.id
                and m.body ~* '\t[ ]*((unknown|unidentified)[ _-]*)?(speaker|spk)[ _#.-]*\d{0,3}[ ]*(\t|\n|$)');
