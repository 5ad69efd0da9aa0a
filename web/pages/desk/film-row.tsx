import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { toDisplayName } from '#contract/display-name.ts';
import { limits } from '#contract/limits.ts';
import type { FilmUnderWay, StepOfVideo } from '#contract/steps.ts';
import { wordsOfStep } from '#contract/words-of-step.ts';
import { call } from '#web/api/call.ts';
import { deleteFilm } from '#web/api/deletions.ts';
import { queryClient } from '#web/api/query-client.ts';
import { publicPosterAddressOf } from '#web/api/thumbnails.ts';
import { incoming } from '#web/api/uploads/incoming.ts';
import { retryVideo } from '#web/api/videos.ts';
import { keepFocus } from '#web/components/keep-focus.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { formatBytes } from './chosen-files.ts';
import { Pipeline } from './pipeline.tsx';
import { formatTimeLeft, stagesOf, standingOf, waitsFor } from './stages.ts';
import { Notice } from './upload-rows.tsx';

/** A film that has come, and what is done with it: it can be opened as soon as it plays. */
export function FilmRow({ film }: { film: FilmUnderWay }) {
  const { id, name, sizeBytes, durationInSeconds, state, failureMessage, steps } = film;
  const isPlayable = state === 'Processed';
  const failed = steps.filter((step) => step.state === 'failed');
  // Behind one that a film cannot do without none goes on.
  const areOptional = failed.every(({ optional }) => optional);
  const doOthersGoOn = areOptional && steps.some((step) => step.state === 'running' || step.state === 'waiting');
  return (
    <>
      <span className="frame job-frame">
        <Poster id={isPlayable ? id : null} />
      </span>
      <div>
        <h3>
          <bdi>{toDisplayName(name)}</bdi>
        </h3>
        <p className="job-meta">
          {formatBytes(sizeBytes)}
          {durationInSeconds > 0 && (
            <>
              , <span className="tc">{formatTimeCode(durationInSeconds)}</span>
            </>
          )}
          , <Standing film={film} />
        </p>
        <Pipeline name={name} stages={stagesOf(film)} />
        {state === 'Failed' && (
          <FailedFilm
            id={id}
            name={name}
            message={failureMessage ?? 'It could not be imported.'}
            details={failed.find(({ details }) => details)?.details ?? null}
          />
        )}
        {isPlayable && failureMessage !== null && <Notice text={failureMessage} isBad />}
        {state !== 'Failed' && failed.map((step) => <FailedStep key={step.name} id={id} step={step} doOthersGoOn={doOthersGoOn} />)}
        <details className="job-details">
          <summary>
            All steps<span className="sr-only"> of {toDisplayName(name)}</span>
          </summary>
          <ul>
            {steps.map((step) => (
              <StepLine key={step.name} id={id} step={step} canChange={state !== 'Failed'} />
            ))}
          </ul>
        </details>
      </div>
      <div className="job-do">
        {isPlayable && (
          <Link className="btn btn-outline btn-small" to={paths.video(id)} aria-label={`Open video ${toDisplayName(name)}`}>
            Open video
          </Link>
        )}
        {!isPlayable && <CancelFilm id={id} name={name} />}
      </div>
    </>
  );
}

/** Nobody is shown that of a film that is kept back: it is asked for without a token. */
function Poster({ id }: { id: string | null }) {
  const [isMissing, setMissing] = useState(false);
  if (id === null || isMissing) return <Icon name="film" size={24} />;
  return <img src={publicPosterAddressOf(id)} alt="" loading="lazy" onError={() => setMissing(true)} />;
}

/** For a film that is not wanted after all, before anybody has seen it: no question, since it comes back as easily. */
function CancelFilm({ id, name }: { id: string; name: string }) {
  const done = `Cancelled. You can restore “${name}” from Deleted for at least ${limits.deletedKeptDays} days.`;
  const removal = useStepChange(() => deleteFilm({ id, name, reason: '', isUnderWay: true }), done);
  return (
    <IconButton
      icon="x"
      label={`Cancel ${name}`}
      aria-disabled={removal.isPending || undefined}
      onClick={() => removal.isPending || removal.mutate()}
    />
  );
}

function Standing({ film }: { film: FilmUnderWay }) {
  const standing = standingOf(film);
  if (standing === 'ready')
    return (
      <>
        ready since <LocalTime at={film.publishedAt ?? film.createdAt} />
      </>
    );
  if (standing === 'needs attention') return 'needs attention';
  const running = film.steps.filter((step) => step.state === 'running');
  const left = running.find((step) => step.secondsLeft !== null)?.secondsLeft;
  if (left !== null && left !== undefined) return formatTimeLeft(left);
  return running.length > 0 ? 'processing' : waitsFor(film);
}

interface FailedFilmProps {
  id: string;
  name: string;
  message: string;
  /** What the tool said at the step that stopped. */
  details: string | null;
}

function FailedFilm({ id, name, message, details }: FailedFilmProps) {
  const retry = useStepChange(() => retryVideo(id), `Trying “${name}” again.`);
  return (
    <Notice isBad text={message}>
      <Button look="danger" size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
        <Icon name="rotate-cw" size={16} />
        Retry
      </Button>
      <ToolDetails details={details} />
    </Notice>
  );
}

function FailedStep({ id, step, doOthersGoOn }: { id: string; step: StepOfVideo; doOthersGoOn: boolean }) {
  const retry = useStepChange(() => call('runStep', { id, step: step.name }), 'Trying again.');
  const skip = useStepChange(() => call('skipStep', { id, step: step.name }), 'Skipped.');
  return (
    <Notice
      isBad
      text={
        <>
          <strong>{wordsOfStep(step.name)} stopped.</strong> {step.message}
          {doOthersGoOn && ' The other steps continue.'}
        </>
      }
    >
      {step.optional && (
        <Button look="outline" size="small" busy={skip.isPending} onClick={() => skip.mutate()}>
          Continue without {wordsOfStep(step.name).toLowerCase()}
        </Button>
      )}
      <Button look="danger" size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
        <Icon name="rotate-cw" size={16} />
        Retry
      </Button>
      <ToolDetails details={step.details} />
    </Notice>
  );
}

function ToolDetails({ details }: { details: string | null }) {
  if (!details) return;
  return (
    <details className="job-tool">
      <summary>Details</summary>
      <pre>{details}</pre>
    </details>
  );
}

/** One step in words, with what may be done about it now: nothing with one of a film that has failed, which is tried as a whole. */
function StepLine({ id, step, canChange }: { id: string; step: StepOfVideo; canChange: boolean }) {
  const { name, state, percent, speed, secondsLeft, message, optional } = step;
  const words = wordsOfStep(name);
  const again = useStepChange(() => call('runStep', { id, step: name }), `${words}: trying again.`);
  const skip = useStepChange(() => call('skipStep', { id, step: name }), `${words}: skipped.`);
  const cancel = useStepChange(() => call('cancelStep', { id, step: name }), `${words}: cancelled.`);
  const facts = [
    state,
    ...(state === 'running' && percent !== null ? [`${percent}%`] : []),
    ...(speed === null ? [] : [`${Math.round(speed * 10) / 10}× playback speed`]),
    ...(secondsLeft === null ? [] : [formatTimeLeft(secondsLeft)]),
  ];
  const act = (label: string, change: typeof again) => (
    <Button look="ghost" size="small" aria-label={`${label}: ${words}`} busy={change.isPending} onClick={() => change.mutate()}>
      {label}
    </Button>
  );
  return (
    <li>
      <span className="step-name">{words}</span>
      <span className="step-says">
        {facts.join(', ')}
        {message && <>. {message}</>}
      </span>
      <span>
        {canChange && state === 'running' && act('Cancel', cancel)}
        {canChange && (state === 'waiting' || state === 'failed') && optional && act('Skip', skip)}
        {canChange && (state === 'failed' || state === 'skipped') && act('Retry', again)}
      </span>
    </li>
  );
}

function useStepChange(change: () => Promise<unknown>, done: string) {
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      showToast(done);
      void queryClient.invalidateQueries(incoming).then(keepFocus);
    },
    onError: (reason) => showToast(reason.message, 'failed'),
  });
}
