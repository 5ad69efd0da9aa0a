import { useQuery } from '@tanstack/react-query';
import type { Engine } from '#contract/steps.ts';
import { enginesQuery } from '#web/api/engines.ts';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { EngineCard } from './engine-card.tsx';
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
    </AdminFrame>
  );
}

function byStep(engines: readonly Engine[]): ReadonlyMap<string, readonly Engine[]> {
  return Map.groupBy(engines, ({ step }) => step);
}
