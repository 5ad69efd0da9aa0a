import { readFile, stat } from 'node:fs/promises';
import { limits, serverLimits } from '#contract/limits.ts';
import type { Cue, ParsedSubtitles } from '../subtitles/cue.ts';
import { decodeUnicode } from '../subtitles/decode-text.ts';
import { parseJson } from '../system/parse-json.ts';
import { type HeardSpeech, heardLineToCue } from '../transcripts/heard-line.ts';
import { parseSphinxSpeech } from '../transcripts/sphinx-speech.ts';
import { parseWhisperCppJson, parseWhisperJson } from '../transcripts/whisper.ts';
import { parseOhmsSpeech } from './ohms.ts';
import { parseVideoIndexSpeech } from './video-index.ts';

/** Reads what a recogniser of speech wrote, in order of time, with the starts of words where it told them. Throws when it is no such file or far too large. */
export async function readTranscript(path: string): Promise<ParsedSubtitles> {
  if ((await stat(path)).size > limits.sidecarMaxBytes) throw new Error(`it is larger than ${limits.sidecarMaxBytes / 1_000_000} MB`);
  return parseTranscript(decodeUnicode(await readFile(path)));
}

/** The same for a transcript in memory. */
export function parseTranscript(text: string): ParsedSubtitles {
  const speech = parseRecognisedSpeech(text);
  if (!speech) throw new Error('unknown format (supported: Whisper, whisper.cpp, pocketsphinx, Video Indexer)');
  if (speech.refusal) throw new Error(speech.refusal);
  const entries = speech.entries.slice(0, serverLimits.linesPerFileMax);
  const cues: Cue[] = [];
  let unreadable = 0;
  for (const entry of entries) {
    const { data } = speech.Line.safeParse(entry);
    if (data) cues.push(heardLineToCue(data));
    else unreadable += 1;
  }
  const spoken = cues.filter((cue) => cue.text !== '').sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const warnings = [
    unreadable > 0 && `${unreadable} lines without text or with unreadable times ignored`,
    entries.length < speech.entries.length && `everything after the first ${serverLimits.linesPerFileMax} lines ignored`,
    spoken.length === 0 && 'no lines found',
  ];
  return { cues: spoken, engine: speech.engine, warnings: warnings.filter((warning) => warning !== false) };
}

/** What a text holds of recognised speech; undefined when it is no transcript that we know. Reads none of the lines yet. */
export function parseRecognisedSpeech(text: string): HeardSpeech | undefined {
  const json = parseJson(text);
  return (
    parseVideoIndexSpeech(json) ?? parseWhisperJson(json) ?? parseWhisperCppJson(json) ?? parseOhmsSpeech(text) ?? parseSphinxSpeech(text)
  );
}
