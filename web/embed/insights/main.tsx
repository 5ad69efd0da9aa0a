import { createRoot } from 'react-dom/client';
import type { VideoIndex } from '#contract/video-service/answers.ts';
import { call } from '#web/api/call.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { takeEmbedAddress } from '../embed-address.ts';
import { openFilmSearch } from '../film-search.ts';
import type { Outline } from '../outline.ts';
import { followTheme, parentPage } from '../parent-page.ts';
import { type Command, hearCommands } from '../player/shortcuts.ts';
import { parseTimeCode } from '../time-code.ts';
import { createStore } from '../use-store.ts';
import './insights.css';
import { InsightsPanel, type Reading } from './insights-panel.tsx';

const address = takeEmbedAddress(window);
const page = parentPage(window);
const clock = createStore(0);
const filmSearch = openFilmSearch(address, page);
const root = createRoot(document.getElementById('root') ?? document.body);
let accessToken = address.accessToken;
let reading: Reading = { state: 'reading' };

const show = (next: Reading) => {
  reading = next;
  const pick = (seconds: number) => page.say({ time: seconds });
  const outline = (outlined: readonly Outline[]) => page.say({ outlined });
  const onTab = (tab: 'insights' | 'timeline') => page.say({ tab });
  root.render(<InsightsPanel {...{ address, reading, clock, pick, outline, filmSearch, onTab, retry }} token={() => accessToken} />);
};

followTheme(page);
hearCommands(passOn);
page.listen((message) => {
  if (message.currentTime !== undefined) clock.set(message.currentTime);
  if (message.accessToken === undefined) return;
  accessToken = message.accessToken;
  if (reading.state !== 'ready') read();
});
show(reading);
filmSearch.subscribe(() => page.say({ found: filmSearch.read().found }));
filmSearch.look(address.search);
read();

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

/** Keys for the page or its player; those to the ends of the film stay with what scrolls here. */
function passOn(command: Command): boolean {
  if (command === 'to-start' || command === 'to-end') return false;
  page.say({ command });
  return true;
}
