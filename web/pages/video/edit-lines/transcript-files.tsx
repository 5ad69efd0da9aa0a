import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useRef } from 'react';
import { limits } from '#contract/limits.ts';
import { linesOf, replaceLines, undoCorrection } from '#web/api/corrections.ts';
import { queryClient } from '#web/api/query-client.ts';
import { saveCaptions } from '#web/api/save-captions.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';

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
      const left = remarks.length > 0 ? ` Of the file: ${remarks.join('; ')}.` : '';
      showToast(
        `${count} ${count === 1 ? 'line' : 'lines'} from ${name} instead of what was here.${left}`,
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
        From a file
      </Button>
    </>
  );
}
