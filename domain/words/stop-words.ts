const words =
  'a about all also am an and any are as at be been but by can could did do does dont for from get go got had has have he her him his how i if ' +
  'im in into is it its just like me my no not of oh okay ok on or our out right she should so some than that thats the their them then there ' +
  'these they this those to uh um up us was we were what when where which who why will with would yeah yes you your';

/** Words so common that they alone make no match, unless nothing else is asked for. Folded. */
export const stopWords: ReadonlySet<string> = new Set(words.split(' '));
