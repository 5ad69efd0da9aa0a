import { useMutation, useQuery } from '@tanstack/react-query';
import type { Engine } from '#contract/steps.ts';
import { enginesQuery, readAgain } from '#web/api/engines.ts';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { ModelsTable } from './models-table.tsx';
import './engines.css';

/** What each step finds, in the order of the steps; one that is not named here goes by its own name. */
const stepNames: Readonly<Record<string, string>> = {
  shots: 'Shots',
  voice: 'Speech or silence',
  speech: 'Speech',
  text: 'On-screen text',
  people: 'People',
  labels: 'Labels',
  brands: 'Brands',
  keywords: 'Keywords',
  meaning: 'Meaning',
};

/** Everything that recognises something in films: what it is, whether it is used, and what it has read. */
export function EnginesPage() {
  const { data, error, isPending, refetch } = useQuery(enginesQuery);
  const engines = data?.engines ?? [];
  return (
    <AdminFrame tab="engines">
      {isPending && <Spinner label="Loading engines" />}
      {error && (
        <div className="table-failed" role="alert">
          <p>The engines could not be read. {error.message}</p>
          <Button look="outline" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data && engines.length === 0 && <p className="table-none">No worker has started yet: it tells which engines it has.</p>}
      <div className="engine-steps">
        {[...byStep(engines)].map(([step, ofStep]) => (
          <section key={step} aria-labelledby={`step-${step}`}>
            <div className="table-head">
              <h2 id={`step-${step}`}>{stepNames[step] ?? step}</h2>
            </div>
            <ul className="engines">
              {ofStep.map((engine) => (
                <EngineCard key={engine.name} engine={engine} />
              ))}
            </ul>
            {step === 'speech' && <ModelsTable models={data?.models ?? []} />}
          </section>
        ))}
      </div>
    </AdminFrame>
  );
}

function byStep(engines: readonly Engine[]): ReadonlyMap<string, readonly Engine[]> {
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
        <Fact name="Films read">{filmsRead.toLocaleString('en')}</Fact>
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
    onSuccess: (count) => showToast(`${films(count)} will be read in the background. New films go first.`),
    onError: (reason) => showToast(`Nothing was begun. ${reason.message}`, 'failed'),
  });
  if (filmsOlder + filmsUnread === 0) return null;
  return (
    <Button look="outline" size="small" busy={reading.isPending} onClick={() => reading.mutate()}>
      {readAgainWords({ filmsOlder, filmsUnread })}
    </Button>
  );
}

function readAgainWords({ filmsOlder, filmsUnread }: Pick<Engine, 'filmsOlder' | 'filmsUnread'>): string {
  if (filmsOlder === 0) return `Read the ${films(filmsUnread)} not read yet`;
  const older = `Read again the ${films(filmsOlder)} made with an older version`;
  return filmsUnread === 0 ? older : `${older}, and ${filmsUnread.toLocaleString('en')} not read yet`;
}

function films(count: number): string {
  return count === 1 ? '1 film' : `${count.toLocaleString('en')} films`;
}
