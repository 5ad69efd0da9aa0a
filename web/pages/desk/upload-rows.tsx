import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isFootageName } from '#contract/footage-names.ts';
import type { Incoming } from '#contract/steps.ts';
import { queryClient } from '#web/api/query-client.ts';
import { incoming } from '#web/api/uploads/incoming.ts';
import { cancelUpload } from '#web/api/uploads/send-file.ts';
import { cancel, goOn, pause, type QueuedFile, type Sending, waitsForFilm } from '#web/api/uploads/upload-queue.ts';
import { keepFocus } from '#web/components/keep-focus.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { formatBytes } from './chosen-files.ts';
import { Pipeline } from './pipeline.tsx';
import { formatTimeLeft, type Stage, stageNames } from './stages.ts';

/** A file that this page sends, from waiting for its turn until it is a film. */
export function UploadRow({ item }: { item: QueuedFile }) {
  const { key, file, sidecars, replaces, state } = item;
  const isSending = ['waiting', 'looking', 'sending', 'held-up'].includes(state.is);
  const stop = () => void cancel(key).then(keepFocus, (reason: Error) => showToast(reason.message, 'failed'));
  const send = () => {
    goOn(key);
    keepFocus();
  };
  const isOver = state.is === 'added' || state.is === 'known';
  // A film that has just come has no page before it plays.
  const hasPage = isOver && (state.is === 'known' || replaces !== undefined || !isFootageName(file.name));
  return (
    <>
      <NoFrame />
      <div>
        <h3>
          <bdi>{file.name}</bdi>
        </h3>
        <p className="job-meta">
          {[formatBytes(file.size), replaces && `replaces “${replaces.name}”`, describeSidecars(sidecars), wordsOf(item)]
            .filter(Boolean)
            .join(', ')}
        </p>
        <UploadPipeline name={file.name} state={state} percent={percentOf(file, state)} />
        {state.is === 'probably-here' && (
          <Notice text={describeSameFootage(state.video, sidecars)}>
            <Button look="outline" size="small" onClick={stop}>
              Skip it
            </Button>
            <Button look="outline" size="small" onClick={send}>
              Upload anyway
            </Button>
          </Notice>
        )}
        {isOver && state.remarks.length > 0 && <Notice text={state.remarks.join(' ')} />}
        {state.is === 'held-up' && <Notice text={`Upload paused at ${percentOf(file, state)}%. ${state.message}`} />}
        {state.is === 'refused' && (
          <Notice isBad text={state.message}>
            <Button look="outline" size="small" onClick={send}>
              <Icon name="rotate-cw" size={16} />
              Retry
            </Button>
          </Notice>
        )}
      </div>
      <div className="job-do">
        {(isSending || state.is === 'paused') && (
          <IconButton
            icon={isSending ? 'pause' : 'play'}
            label={`${isSending ? 'Pause' : 'Resume'} ${file.name}`}
            onClick={() => (isSending ? pause(key) : goOn(key))}
          />
        )}
        {hasPage && (
          <Link className="btn btn-outline btn-small" to={paths.video(state.videoId)}>
            Open video
          </Link>
        )}
        {state.is !== 'checking' && <IconButton icon="x" label={`${isOver ? 'Close' : 'Cancel'} ${file.name}`} onClick={stop} />}
      </div>
    </>
  );
}

function describeSameFootage({ name, isDeleted }: { name: string; isDeleted: boolean }, sidecars: readonly File[]): string {
  const same = `“${name}” has the same size, beginning and end`;
  if (isDeleted) return `This looks like a deleted video: ${same}. You can restore it under Deleted.`;
  const names = sidecars.map((sidecar) => sidecar.name).join(' and ');
  const beside = names === '' ? '' : ` If you skip it, ${names} is skipped too; if you upload anyway, ${names} is added to that video.`;
  return `Probably in the archive already: ${same}.${beside}`;
}

function describeSidecars(sidecars: readonly File[]): string {
  return sidecars.length === 0 ? '' : `with ${sidecars.map(({ name }) => name).join(' and ')}`;
}

function wordsOf(item: QueuedFile): string {
  const { file, state } = item;
  switch (state.is) {
    case 'waiting':
      return waitsForFilm(item) ? 'waits for its video' : 'waits for a free slot';
    case 'looking':
      return 'checking whether it is here already';
    case 'probably-here':
      return 'waits for your answer';
    case 'sending': {
      if (!state.bytesPerSecond) return 'sending';
      const speed = `${formatBytes(state.bytesPerSecond)}/s`;
      return `${speed}, ${formatTimeLeft((file.size - state.sentBytes) / state.bytesPerSecond)}`;
    }
    case 'paused':
      return 'paused';
    case 'held-up':
      return 'paused';
    case 'checking':
      return 'verifying';
    case 'added':
      return 'added';
    case 'known':
      return 'already in the archive, so not added again';
    case 'refused':
      return 'not uploaded';
  }
}

function percentOf({ size }: File, state: Sending): number {
  if (['checking', 'added', 'known'].includes(state.is)) return 100;
  return 'sentBytes' in state ? Math.floor((state.sentBytes / size) * 100) : 0;
}

const uploadStates: Readonly<Partial<Record<Sending['is'], Stage['state']>>> = {
  added: 'done',
  known: 'done',
  refused: 'failed',
  waiting: 'waiting',
  'probably-here': 'waiting',
};

function UploadPipeline({ name, state, percent }: { name: string; state: Pick<Sending, 'is'>; percent: number }) {
  const upload = uploadStates[state.is] ?? 'running';
  const stages = stageNames.map(
    (stage, n): Pick<Stage, 'name' | 'state' | 'percent'> => ({
      name: stage,
      state: n === 0 ? upload : 'waiting',
      percent: n === 0 ? percent : 0,
    }),
  );
  return <Pipeline name={name} stages={stages} />;
}

/** An upload of one's own that this page does not send: it was begun before a reload, in another tab or on another machine. */
export function HalfwayRow({ upload: { id, fileName, sizeBytes, receivedBytes, replaces } }: { upload: Incoming['unfinished'][number] }) {
  const drop = useMutation({
    mutationFn: () => cancelUpload(id),
    onSuccess: () => queryClient.invalidateQueries(incoming).then(keepFocus),
    onError: (reason) => showToast(reason.message, 'failed'),
  });
  const percent = Math.floor((receivedBytes / sizeBytes) * 100);
  return (
    <>
      <NoFrame />
      <div>
        <h3>
          <bdi>{fileName}</bdi>
        </h3>
        <p className="job-meta">
          {formatBytes(sizeBytes)}, {replaces ? 'replaces a video’s file, ' : ''}not being uploaded from this page
        </p>
        <UploadPipeline name={fileName} state={{ is: 'paused' }} percent={percent} />
        <Notice
          text={
            receivedBytes < sizeBytes
              ? `Upload paused at ${percent}%. Choose or drop the file again to resume.`
              : 'All of it has come, and it was not added. Choose or drop the file again to hear why, or cancel it.'
          }
        />
      </div>
      <div className="job-do">
        <IconButton icon="x" label={`Cancel ${fileName}`} onClick={() => drop.mutate()} />
      </div>
    </>
  );
}

/** A file of the watched folder that is no film, and why. */
export function LeftOutRow({ file: { fileName, sizeBytes, state, message, at } }: { file: Incoming['leftOut'][number] }) {
  return (
    <>
      <NoFrame />
      <div>
        <h3>
          <bdi>{fileName}</bdi>
        </h3>
        <p className="job-meta">
          {formatBytes(sizeBytes)}, in the watched folder, {state === 'refused' ? 'refused' : 'waiting since'} <LocalTime at={at} />
        </p>
        <Notice isBad={state === 'refused'} text={message} />
      </div>
      <div className="job-do" />
    </>
  );
}

function NoFrame() {
  return (
    <span className="frame job-frame">
      <Icon name="film" size={24} />
    </span>
  );
}

/** What somebody should know or answer, below a row. */
export function Notice({ text, isBad = false, children }: { text: ReactNode; isBad?: boolean; children?: ReactNode }) {
  return (
    <div className={`job-notice ${isBad ? 'job-notice-bad' : ''}`} role={isBad ? 'alert' : undefined}>
      <p>{text}</p>
      {children}
    </div>
  );
}
