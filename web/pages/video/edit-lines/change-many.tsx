import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import type { LineEntry } from '#contract/corrections.ts';
import { limits } from '#contract/limits.ts';
import { correctManyLines, linesOf, replaceLines, undoCorrection, undoCorrections } from '#web/api/corrections.ts';
import { saveCaptions } from '#web/api/films.ts';
import { queryClient } from '#web/api/query-client.ts';
import { lineOf, replaceInLines } from '#web/components/text/replace-in-lines.ts';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** As many are drawn at every letter that somebody types. */
const linesShown = 200;

interface ChangeManyProps {
  videoId: string;
  lines: readonly LineEntry[];
  /** Plays what a line says, before it is changed. */
  seek: (seconds: number) => void;
}

/** Finds words in the whole film and writes others, or confirms all that nobody has looked at: seen before, and taken back with one press. */
export function ChangeMany({ videoId, lines, seek }: ChangeManyProps) {
  const [find, setFind] = useState('');
  const [by, setBy] = useState('');
  const [done, setDone] = useState<{ says: string; corrections: readonly number[] } | null>(null);
  const saying = useRef<HTMLParagraphElement>(null);
  const found = replaceInLines(lines, find, by);
  const unseen = lines.filter(({ review }) => !review);
  const change = useMutation({
    mutationFn: (changes: typeof found) =>
      correctManyLines(
        videoId,
        changes.map(({ line, becomes }) => ({ replaces: [line], lines: [becomes] })),
        (corrections) => setDone({ says: '', corrections }),
      ),
    onSuccess: (_written, changes) => {
      const [first] = changes;
      const isConfirmed = first && first.line === first.becomes;
      const says = `${countLines(changes.length)} ${isConfirmed ? 'verified' : 'changed'}.`;
      setDone((written) => ({ says, corrections: written?.corrections ?? [] }));
      setFind('');
      saying.current?.focus();
    },
    onError: () => void queryClient.invalidateQueries(linesOf(videoId)),
  });
  const undo = useMutation({
    mutationFn: (corrections: readonly number[]) => undoCorrections(videoId, corrections),
    onSuccess: async () => {
      await queryClient.invalidateQueries(linesOf(videoId));
      setDone({ says: 'Undone.', corrections: [] });
      change.reset();
      saying.current?.focus();
    },
  });
  const replaceAll = (event: FormEvent) => {
    event.preventDefault();
    if (found.length > 0 && !change.isPending) change.mutate(found);
  };
  const verifyAll = () => {
    const same = unseen.map((line) => lineOf(line)).map((line) => ({ line, becomes: line }));
    if (!change.isPending) change.mutate(same);
  };
  const fault = change.error ?? undo.error;
  const corrections = done?.corrections ?? [];
  return (
    <details className="change-many">
      <summary>Change many lines</summary>
      <form onSubmit={replaceAll}>
        <TextField label="Find" value={find} onChange={({ target }) => setFind(target.value)} />
        <TextField label="Replace with" value={by} onChange={({ target }) => setBy(target.value)} />
        {find.trim() !== '' && (
          <ol aria-label="What would change">
            {found.slice(0, linesShown).map(({ line, becomes }) => (
              <li key={`${line.startMs} ${line.text}`}>
                <button type="button" className="tc" onClick={() => seek(line.startMs / 1_000)}>
                  {formatTimeCode(line.startMs / 1_000)}
                </button>
                <span>
                  <del>{line.text}</del> <ins>{becomes.text}</ins>
                </span>
              </li>
            ))}
            {found.length > linesShown && <li>And {countLines(found.length - linesShown)} more.</li>}
          </ol>
        )}
        <div className="edit-line-acts">
          <Button look="primary" size="small" type="submit" aria-disabled={found.length === 0 || undefined}>
            Replace in {countLines(found.length)}
          </Button>
          {unseen.length > 0 && (
            <Button look="outline" size="small" onClick={verifyAll}>
              Verify the remaining {countLines(unseen.length)}
            </Button>
          )}
        </div>
      </form>
      <p className="change-many-said" role={fault ? 'alert' : 'status'} ref={saying} tabIndex={-1}>
        {fault?.message ?? done?.says}
      </p>
      {corrections.length > 0 && !change.isPending && (
        <Button look="outline" size="small" onClick={() => !undo.isPending && undo.mutate(corrections)}>
          Undo all
        </Button>
      )}
    </details>
  );
}

function countLines(count: number): string {
  return `${count} ${count === 1 ? 'line' : 'lines'}`;
}

/** A transcript's ways in and out as a file of subtitles. */
export function TranscriptFiles({ videoId }: { videoId: string }) {
  return (
    <p className="edit-lines-files">
      <FromFile videoId={videoId} />
      <ToFile videoId={videoId} />
    </p>
  );
}

/** Saves what the lines say now as a file of subtitles. */
function ToFile({ videoId }: { videoId: string }) {
  const save = useMutation({
    mutationFn: (format: 'vtt' | 'srt') => saveCaptions(videoId, format),
    onError: (reason) => showToast(reason.message, 'failed'),
  });
  return (['vtt', 'srt'] as const).map((format) => (
    <Button key={format} look="ghost" size="small" onClick={() => save.mutate(format)}>
      Save as {format.toUpperCase()}
    </Button>
  ));
}

const subtitleEndings = '.srt,.vtt,.ttml,.dfxp,.ass,.ssa';

/** Has the lines of a subtitle file stand in the place of all of these, until that is taken back. */
function FromFile({ videoId }: { videoId: string }) {
  const chooser = useRef<HTMLInputElement>(null);
  const takeBack = useMutation({
    mutationFn: (correction: number) => undoCorrection(videoId, correction),
    onSuccess: () => queryClient.invalidateQueries(linesOf(videoId)),
    onError: (reason) => showToast(reason.message, 'failed'),
  });
  const send = useMutation({
    mutationFn: async (file: File) => {
      const maxBytes = limits.transcriptFileMaxBytes;
      if (file.size > maxBytes) throw new Error(`${file.name} is larger than ${maxBytes / 1_000_000} MB. Is it a subtitle file?`);
      return { ...(await replaceLines(videoId, file)), name: file.name };
    },
    onSuccess: ({ count, name, remarks, correction }) => {
      const undo = correction === null ? undefined : () => void takeBack.mutate(correction);
      const left = remarks.length > 0 ? ` Note: ${remarks.join('; ')}.` : '';
      showToast(
        `Replaced the transcript with ${count} ${count === 1 ? 'line' : 'lines'} from ${name}.${left}`,
        left ? 'unfinished' : 'done',
        undo,
      );
    },
    onError: (reason) => showToast(reason.message, 'failed'),
  });
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    if (file) send.mutate(file);
    // The same file again is a choice as well.
    event.target.value = '';
  };
  return (
    <>
      <input ref={chooser} type="file" hidden accept={subtitleEndings} aria-label="Subtitle file" onChange={choose} />
      <Button look="ghost" size="small" disabled={send.isPending} onClick={() => chooser.current?.click()}>
        Load from a file
      </Button>
    </>
  );
}
