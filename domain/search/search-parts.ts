import type { Pool } from '../db/database.ts';
import type { MeaningProcess } from '../meaning/meaning-process.ts';
import type { Deadline } from '../scheduling/deadline.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { ListedFacets } from './list/list-facets.ts';
import type { CachedSurvey } from './list/survey.ts';
import type { VocabularySource } from './query/load-vocabulary.ts';
import type { SearchPlan } from './query/search-plan.ts';
import type { CachedRanking, JoinedLists } from './rank/ranking.ts';
import type { Cache } from './search-cache.ts';
import type { NamesSource } from './suggest/load-names.ts';

/** What all searches of one archive share. */
export interface SearchParts {
  readonly pool: Pool;
  readonly index: SearchIndex;
  readonly vocabulary: VocabularySource;
  readonly names: NamesSource;
  /** Counts of lists without a query. */
  readonly listed: ListedFacets;
  readonly plans: Cache<SearchPlan>;
  /** By search and time: the order that further pages go on with. */
  readonly rankings: Cache<CachedRanking>;
  /** Of first pages, for whoever asks the same before anything has changed. */
  readonly firstRankings: Cache<CachedRanking>;
  readonly surveys: Cache<Promise<CachedSurvey>>;
  /** Finds what means the same; null where words answer alone. */
  readonly meaning: Pick<MeaningProcess, 'find' | 'places'> | null;
  /** By search and time, as rankings: further pages go on in the order that the first one had. */
  readonly joined: Cache<JoinedLists>;
}

/** One search, which ends when its time is over. */
export interface SearchRun extends SearchParts {
  readonly deadline: Deadline;
}
