import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Engine, Recognition, RoughSpeech } from '#contract/steps.ts';
import { enginesQuery, hideRoughSpeech, readAgain, setRecognition } from '#web/api/engines.ts';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { LoadFailed } from '#web/components/table/load-failed.tsx';
import { useFailure } from '#web/components/table/use-failure.ts';
import { nameCount } from '#web/components/text/count-wording.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { ModelsTable } from './models-table.tsx';
import './engines.css';

/** What each step finds, in the order of the steps; one that is not named here goes by its own name. */
const stepNames: Readonly<Record<string, string>> = {
  frames: 'All frames',
  shots: 'Shots',
  voice: 'Speech detection',
  'picture-subtitles': 'Picture subtitles',
  speech: 'Speech',
  language: 'Language',
  text: 'On-screen text',
  people: 'People',
  labels: 'Labels',
  brands: 'Brands',
  keywords: 'Keywords',
  meaning: 'Meaning',
};

/** Everything that recognises something in films: what it is, whether it is used, and what it has read. */
export function EnginesPage() {
  const found = useQuery(enginesQuery);
  const { data, isPending, refetch } = found;
  const failure = useFailure(found);
  const engines = data?.engines ?? [];
  return (
    <AdminFrame tab="engines">
      {isPending && !failure && <Spinner label="Loading engines" />}
      {failure && <LoadFailed says={`The engines could not be loaded. ${failure.message}`} onRetry={refetch} />}
      {data && engines.length === 0 && <p className="table-none">No worker has started yet. Its engines appear here once it has.</p>}
      <div className="engine-steps">
        {[...groupByStep(engines)].map(([step, ofStep]) => (
          <section key={step} aria-labelledby={`step-${step}`}>
            <div className="table-head">
              <h2 id={`step-${step}`}>{stepNames[step] ?? step}</h2>
            </div>
            <ul className="engines">
              {ofStep.map((engine) => (
                <EngineCard key={engine.name} engine={engine} />
              ))}
            </ul>
            {step === 'speech' && data && <HideRough roughSpeech={data.roughSpeech} />}
            {step === 'speech' && <ModelsTable models={data?.models ?? []} />}
          </section>
        ))}
      </div>
      {data && <RecognisingPeople recognition={data.recognition} />}
    </AdminFrame>
  );
}

/** Whether people are recognised across films; off until an administrator has read what that means. */
function RecognisingPeople({ recognition: { isOn, by, since, faces } }: { recognition: Recognition }) {
  const [isAsking, setAsking] = useState(false);
  const switching = useMutation({
    mutationFn: setRecognition,
    onSuccess: (count, on) =>
      showToast(
        on
          ? `People are now recognised across videos. ${nameCount(count, 'video')} will be analysed again.`
          : 'Turned off. All stored face data has been deleted.',
      ),
    onError: (reason) => showToast(`Nothing was changed. ${reason.message}`, 'failed'),
    onSettled: () => setAsking(false),
  });
  return (
    <section className="recognition" aria-labelledby="recognition">
      <div className="table-head">
        <h2 id="recognition">Recognising people across videos</h2>
      </div>
      <div className="engine">
        <p>
          {isOn ? (
            <>
              On
              {since && (
                <>
                  {' '}
                  since <LocalTime at={since} show="date" />
                </>
              )}
              {by && `, turned on by ${by}`}. Face data is kept for {nameCount(faces, 'named face')}; editors are told who may appear in
              other videos.
            </>
          ) : (
            'Off. Faces are matched within one video only, and the face data is deleted afterwards.'
          )}
        </p>
        <Button look="outline" size="small" busy={switching.isPending} onClick={() => (isOn ? switching.mutate(false) : setAsking(true))}>
          {isOn ? 'Turn off and delete face data' : 'Turn on…'}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          question="Recognise people across videos?"
          action="Turn on"
          busy={switching.isPending}
          onConfirm={() => switching.mutate(true)}
          onCancel={() => setAsking(false)}
        >
          <p>
            The archive stores face data for everyone an editor names. This is biometric data: many countries require those people’s consent
            or another legal basis.
          </p>
          <p>
            It only suggests names to editors and never names anyone itself. If you turn it off, all face data is deleted at once. Backups
            do not contain it.
          </p>
        </Confirm>
      )}
    </section>
  );
}

function groupByStep(engines: readonly Engine[]): ReadonlyMap<string, readonly Engine[]> {
  return Map.groupBy(engines, ({ step }) => step);
}

/** One engine with all that is known of it. */
function EngineCard({ engine }: { engine: Engine }) {
  const { name, version, licence, source, goodAt, models, off, filmsRead } = engine;
  return (
    <li className="engine">
      <h3>
        <bdi>{name}</bdi>
        <span className="tag">{version}</span>
        <span className={off ? 'engine-off' : 'engine-on'}>{off ? 'Off' : 'On'}</span>
      </h3>
      {off && (
        <p className="engine-why">
          <bdi>{off.reason}</bdi> <bdi>{off.whatToDo}</bdi>
        </p>
      )}
      <p>
        <bdi>{goodAt}</bdi>
      </p>
      <dl>
        <Fact name="Videos read">{filmsRead.toLocaleString('en')}</Fact>
        <Fact name="Model file">{models.length > 0 ? models.join(', ') : 'none'}</Fact>
        <Fact name="Licence">{licence ?? 'not stated'}</Fact>
        <Fact name="Source">{source}</Fact>
      </dl>
      <ReadAgain engine={engine} />
    </li>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

/** Nothing where every film was read by this engine as it is now. */
function ReadAgain({ engine: { name, filmsOlder, filmsUnread } }: { engine: Engine }) {
  const reading = useMutation({
    mutationFn: () => readAgain(name),
    onSuccess: (count) => showToast(`${nameCount(count, 'video')} will be read in the background. New videos go first.`),
    onError: (reason) => showToast(`Reading could not be started. ${reason.message}`, 'failed'),
  });
  if (filmsOlder + filmsUnread === 0) return null;
  return (
    <Button look="outline" size="small" busy={reading.isPending} onClick={() => reading.mutate()}>
      {readAgainWords({ filmsOlder, filmsUnread })}
    </Button>
  );
}

/** Nothing where no film has rough speech. */
function HideRough({ roughSpeech: { isHidden, films: count } }: { roughSpeech: RoughSpeech }) {
  const turning = useMutation({
    mutationFn: () => hideRoughSpeech(!isHidden),
    onSuccess: () => showToast(`Rough speech is now ${isHidden ? 'shown' : 'hidden'}. Search follows within minutes.`),
    onError: (reason) => showToast(`Nothing was changed. ${reason.message}`, 'failed'),
  });
  if (count === 0 && !isHidden) return null;
  return (
    <div className="engine-rough">
      <p>
        {nameCount(count, 'video')} {count === 1 ? 'has' : 'have'} rough speech: unchecked lines in which most words are wrong.{' '}
        {isHidden ? 'These lines are hidden from everyone.' : 'Search lists these lines last, marked “rough”.'}
      </p>
      <Button look="outline" size="small" busy={turning.isPending} onClick={() => turning.mutate()}>
        {isHidden ? 'Show rough speech' : 'Hide rough speech'}
      </Button>
    </div>
  );
}

function readAgainWords({ filmsOlder, filmsUnread }: Pick<Engine, 'filmsOlder' | 'filmsUnread'>): string {
  if (filmsOlder === 0) return `Read ${nameCount(filmsUnread, 'video')} not read yet`;
  const older = `Read ${nameCount(filmsOlder, 'video')} again with this version`;
  return filmsUnread === 0 ? older : `${older}, and ${filmsUnread.toLocaleString('en')} not read yet`;
}
