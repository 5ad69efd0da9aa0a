const film = [
  'mp4',
  'm4v',
  'mov',
  'qt',
  'mkv',
  'webm',
  'avi',
  'ts',
  'mts',
  'm2ts',
  'mpg',
  'mpeg',
  'vob',
  'flv',
  'f4v',
  'asf',
  'wmv',
  'ogv',
  'mxf',
  '3gp',
  '3g2',
  'mj2',
];
const sound = ['mp3', 'm4a', 'm4b', 'aac', 'wav', 'flac', 'ogg', 'oga', 'opus', 'wma'];
const extensions = new Set([...film, ...sound]);

/** Whether a file of this name is taken as footage. */
export function isFootageName(name: string): boolean {
  const extension = /\.([a-z0-9]+) *$/i.exec(name)?.[1];
  return extension !== undefined && extensions.has(extension.toLowerCase());
}

const language = '[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,8}';
const subtitleName = new RegExp(String.raw`^(?:\.(${language}))?\.(?:srt|vtt|ttml|dfxp|ass|ssa)$`, 'i');
const transcriptName = /^\.(?:(?:whisper|sphinx|wav)\.json|sphinx\.txt)$/i;
const transcriptInLanguage = new RegExp(String.raw`^\.(${language})\.json$`, 'i');

/** What a file beside a film is by its name. */
export interface SidecarName {
  /** `name.json` and `name.xml` may hold facts or a transcript: what is in it decides. */
  readonly holds: 'subtitles' | 'chapters' | 'transcript' | 'facts or transcript';
  readonly language: string | null;
}

/**
 * What a file beside a film holds by its name; undefined for what does not belong to it. Recognisers of speech call theirs after the
 * film (`name.mp4.json`), its sound (`name.wav.json`) or its stem; `name.en.json`, `name.whisper.json`, `name.sphinx.json` and
 * `name.sphinx.txt` leave `name.json` to the facts. Chapters are WebVTT as well: `name.chapters.vtt`.
 */
export function readSidecarName(sidecarName: string, nameOfFilm: string): SidecarName | undefined {
  // A Mac writes é as two signs, and whatever made the other file may not.
  const [name, filmName] = [sidecarName.normalize('NFC'), nameOfFilm.normalize('NFC')];
  const stem = filmName.replace(/\.[^.]*$/, '') || filmName;
  if (!name.startsWith(stem)) return undefined;
  const rest = name.slice(stem.length);
  if (/^\.(?:json|xml)$/i.test(rest)) return { holds: 'facts or transcript', language: null };
  if (/^\.chapters\.vtt$/i.test(rest)) return { holds: 'chapters', language: null };
  const subtitles = subtitleName.exec(rest);
  if (subtitles) return { holds: 'subtitles', language: subtitles[1] ?? null };
  if ((name.slice(0, -5) === filmName && /\.json$/i.test(name)) || transcriptName.test(rest))
    return { holds: 'transcript', language: null };
  const transcript = transcriptInLanguage.exec(rest);
  // `name.mkv.json` beside `name.mp4` is another film's.
  if (!transcript || isFootageName(`.${transcript[1]}`)) return undefined;
  return { holds: 'transcript', language: transcript[1] ?? null };
}

const sidecarEnding = /\.(?:srt|vtt|ttml|dfxp|ass|ssa|json|sphinx\.txt)$/i;

/** Whether a file of this name may be sent to lie beside a film. XML may only lie there already, where an import or the watched folder finds it. */
export function isSidecarName(name: string): boolean {
  return sidecarEnding.test(name);
}

// What a NAS or Windows keeps beside the files of people: previews, snapshots, what they threw away.
const notOfPeople = new Set(['@eadir', '#recycle', '#snapshot', '$recycle.bin', 'system volume information', 'lost+found']);

/** Whether a folder of this name below another is one that people put files into: none that is hidden, or that a system keeps for itself, its trash above all. */
export function isFolderOfPeople(name: string): boolean {
  return !/^[.~]/.test(name) && !notOfPeople.has(name.toLowerCase());
}
