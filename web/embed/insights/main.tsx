/*
 * The insights beside a film: who and what appears, as lanes (insights-tab), and all that is said and written in order of time (timeline-tab).
 */
import { createRoot } from 'react-dom/client';
import type { VideoIndex } from '#contract/video-service/answers.ts';
import { call } from '#web/api/call.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { isTooLong } from '#web/components/read-query.ts';
import { parseTimeCode } from '#web/components/text/time-code.ts';
import { showTheme } from '#web/theme/theme.ts';
import { isComposing } from '#web/ui/letter-keys.tsx';
import { createStore, type Store, useStore } from '#web/ui/store.ts';
import { type EmbedAddress, takeEmbedAddress } from '../embed-address.ts';
import { type FilmSearch, openFilmSearch, type SearchInFilm, stepOnceAnswered } from '../film-search.ts';
import { type Outline, outlinesOfTexts } from '../outline.ts';
import { parentPageOf } from '../parent-page.ts';
import { type Command, hearCommands, isScrolling } from '../player/shortcuts.ts';
import './insights.css';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { marksOfLines } from '../marked-moment.ts';
import { listMoments } from '../video-moments.ts';
import { InsightsTab } from './insights-tab.tsx';
import { TimelineTab } from './timeline-tab.tsx';

/** How far reading the video's index has come. */
type Reading = { state: 'reading' } | { state: 'failed' } | { state: 'ready'; index: VideoIndex };

interface InsightsPanelProps {
  address: EmbedAddress;
  reading: Reading;
  clock: Store<number>;
  token: () => string;
  pick: (seconds: number) => void;
  step: InsightSearchProps['step'];
  /** Has the player outline these in the picture. */
  outline: (outlines: readonly Outline[]) => void;
  filmSearch: FilmSearch;
  /** Hears which tab somebody chooses. */
  onTab: (tab: TabId) => void;
  retry: () => void;
}

function InsightsPanel({ reading, retry, ...rest }: InsightsPanelProps) {
  return (
    <main className="panel" aria-label="Insights">
      <h1 className="sr-only">Insights</h1>
      {reading.state === 'reading' && (
        <div className="panel-note panel-wait">
          <Spinner label="Loading insights" />
        </div>
      )}
      {reading.state === 'failed' && (
        <div className="panel-note" role="alert">
          <p>The insights of this video cannot be shown right now.</p>
          <Button look="outline" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      {reading.state === 'ready' && <ReadyPanel index={reading.index} {...rest} />}
    </main>
  );
}

function ReadyPanel({
  index,
  address,
  clock,
  token,
  pick,
  step,
  outline,
  filmSearch,
  onTab,
}: Omit<InsightsPanelProps, 'reading' | 'retry'> & { index: VideoIndex }) {
  const [tab, setTab] = useState(address.tab ?? chooseFirstTab(index));
  const choose = (chosen: TabId) => {
    setTab(chosen);
    onTab(chosen);
  };
  const search = useStore(filmSearch);
  const moments = useMemo(() => index.videos.flatMap((video) => listMoments(video.insights)), [index]);
  const texts = useMemo(() => new Map(moments.map(({ line, text }) => [line, text])), [moments]);
  const outlines = useMemo(() => new Map(index.videos.flatMap((video) => [...outlinesOfTexts(video)])), [index]);
  const point = (text: string | null) => outline((text !== null && outlines.get(text)) || []);
  const insights = index.videos[0]?.insights;
  const marks = marksOfLines(search.found, (line) => texts.get(line));
  return (
    <>
      <Tabs chosen={tab} onChoose={choose} />
      <InsightSearch {...{ search, step }} look={filmSearch.look} retry={filmSearch.retry} note={insights?.noMeaning} />
      {tab === 'insights' ? (
        <InsightsTab {...{ index, search, marks, clock, pick, point, token, address }} />
      ) : (
        <TimelineTab {...{ moments, marks, clock, pick, point }} noTranscript={insights?.noTranscript} />
      )}
    </>
  );
}

// A film that has been heard but not looked at yet shows what was heard, rather than an empty tab.
function chooseFirstTab({ videos }: VideoIndex): TabId {
  const insights = videos[0]?.insights;
  const lanes = [insights?.faces, insights?.labels, insights?.brands, insights?.ocr, insights?.keywords];
  const hasLanes = lanes.some((lane) => (lane?.length ?? 0) > 0);
  return !hasLanes && (insights?.transcript?.length ?? 0) > 0 ? 'timeline' : 'insights';
}

const tabs = [
  { id: 'insights', label: 'Insights' },
  { id: 'timeline', label: 'Timeline' },
] as const;

type TabId = (typeof tabs)[number]['id'];

/** Arrow keys move and choose, Tab goes on to the panel. */
function Tabs({ chosen, onChoose }: { chosen: TabId; onChoose: (tab: TabId) => void }) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    event.preventDefault();
    const other = tabs.find((tab) => tab.id !== chosen);
    const next = event.key === 'Home' ? tabs[0] : event.key === 'End' ? tabs[1] : other;
    if (!next) return;
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" ref={list} aria-label="Insights view">
      {tabs.map(({ id, label }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          className="tab"
          role="tab"
          aria-selected={id === chosen}
          aria-controls="tab-panel"
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
          onKeyDown={move}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

interface InsightSearchProps {
  search: SearchInFilm;
  look: (query: string) => void;
  retry: () => void;
  /** From match to match, as the player goes. */
  step: (command: 'previous-match' | 'next-match') => void;
  /** Why it is not found by its meaning. */
  note: string | undefined;
}

/** Search inside this video. */
function InsightSearch({ search, look, retry, step, note }: InsightSearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    look('');
    input.current?.focus();
  };
  return (
    <search className="psearch">
      <div className="sb">
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label="Search inside this video"
          placeholder="Search inside this video"
          value={search.query}
          onChange={(event) => look(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && !isComposing(event) && step(event.shiftKey ? 'previous-match' : 'next-match')}
        />
        {search.query !== '' && <IconButton icon="x" label="Clear search inside this video" small onClick={clear} />}
      </div>
      {search.state !== 'none' && (
        <div className="r">
          <span role="status">{resultOf(search)}</span>
          {search.state === 'failed' && !isTooLong(search.query) && (
            <Button look="ghost" size="small" onClick={retry}>
              Try again
            </Button>
          )}
          {search.state === 'answered' && search.total === 0 && (
            <a className="link" href={`/search?${new URLSearchParams({ query: search.query, skip: '0' })}`} target="_top">
              Search the archive
            </a>
          )}
          {search.found.length > 0 && (
            <span className="step">
              <IconButton icon="chevron-left" label="Previous match" small onClick={() => step('previous-match')} />
              <IconButton icon="chevron-right" label="Next match" small onClick={() => step('next-match')} />
            </span>
          )}
        </div>
      )}
      {note && <p className="note">{note}</p>}
    </search>
  );
}

/** The same number as on the video's card. */
function resultOf({ state, reason, total, found, takenFor }: SearchInFilm): string {
  if (state === 'failed') return reason;
  if (state === 'waiting') return `${reason} Trying again automatically.`;
  const moments = `${total.toLocaleString('en')} ${total === 1 ? 'moment' : 'moments'}`;
  if (total > 0 && found.every(({ isByMeaning }) => isByMeaning)) return `${moments} closest by meaning`;
  if (total > 0) return `${moments} in this video${takenFor === '' ? '' : ` for ${takenFor}`}`;
  return state === 'answered' ? 'Not in this video.' : '';
}

const address = takeEmbedAddress(window);
const page = parentPageOf(window);
const clock = createStore(0);
const filmSearch = openFilmSearch(address, page);
const root = createRoot(document.getElementById('root') ?? document.body);
let accessToken = address.accessToken;
let reading: Reading = { state: 'reading' };

filmSearch.subscribe(tellSearch);
// The player has been told by then what was found.
const step: InsightSearchProps['step'] = stepOnceAnswered(filmSearch, (command) => page.say({ command }));

const show = (next: Reading) => {
  reading = next;
  const pick = (seconds: number) => page.say({ time: seconds });
  const outline = (outlined: readonly Outline[]) => page.say({ outlined });
  const onTab = (tab: 'insights' | 'timeline') => page.say({ tab });
  root.render(<InsightsPanel {...{ address, reading, clock, pick, step, outline, filmSearch, onTab, retry }} token={() => accessToken} />);
};

// The theme is that of the device, unless the page around says another one.
page.listen(({ theme }) => {
  if (theme) showTheme(theme);
});
hearCommands(passOn);
page.listen((message) => {
  if (message.currentTime !== undefined) clock.set(message.currentTime);
  if (message.accessToken === undefined) return;
  accessToken = message.accessToken;
  if (reading.state !== 'ready') read();
});
show(reading);
filmSearch.look(address.search);
// The player may still hold what insights before these have found.
tellSearch();
read();

function tellSearch() {
  const { query: search, found } = filmSearch.read();
  page.say({ search, found });
}

async function read() {
  const { location, accountId: account, videoId: id } = address;
  try {
    const index = await call('videoIndex', { location, account, id, includeStreamingUrls: 'false' }, { accessToken });
    show({ state: 'ready', index });
    page.say(secondsOf(index));
  } catch (reason) {
    const isRefused = reason instanceof CallFailed && (reason.status === 401 || reason.status === 403);
    // A first refusal may be an old token: the page is asked for a fresh one, and its answer reads again.
    if (isRefused && reading.state === 'reading') page.say({ expired: true });
    show({ state: 'failed' });
  }
}

/** The seconds at which shots begin, and those at which somebody begins and ends to speak. */
function secondsOf({ videos }: VideoIndex): { shots: number[]; speech: number[] } {
  const { shots = [], audioEffects = [] } = videos[0]?.insights ?? {};
  const timesOf = (elements: typeof shots | typeof audioEffects) => elements.flatMap(({ instances }) => instances);
  return {
    shots: timesOf(shots).map(({ start }) => parseTimeCode(start)),
    speech: timesOf(audioEffects).flatMap(({ start, end }) => [parseTimeCode(start), parseTimeCode(end)]),
  };
}

function retry() {
  show({ state: 'reading' });
  read();
}

/** Keys for the page or its player, but for those that scroll here. */
function passOn(command: Command): boolean {
  if (isScrolling(command)) return false;
  page.say({ command });
  return true;
}
