import { useMutation } from '@tanstack/react-query';
import type { EngineModel } from '#contract/steps.ts';
import { fetchModel } from '#web/api/engines.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** Models that can be fetched with one press; nothing is fetched unasked. */
export function ModelsTable({ models }: { models: readonly EngineModel[] }) {
  if (models.length === 0) return null;
  return (
    <div className="engine-models">
      <h3 id="models">Whisper models</h3>
      <p>
        None comes with the archive, and none is fetched unasked. What is fetched goes into the archive’s data folder, and is used only when
        its size and checksum are right.
      </p>
      <table className="table models-table" aria-labelledby="models">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Good at</th>
            <th scope="col">Size</th>
            <th scope="col">Licence, source</th>
            <th scope="col">
              <span className="sr-only">Fetch</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.name}>
              <th scope="row">{model.name}</th>
              <td>{model.goodAt}</td>
              <td className="models-size">{megabytes(model.bytes)}</td>
              <td>
                {model.licence}, {model.source}
              </td>
              <td>
                <Fetch model={model} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How a model stands, and the button that has it fetched. */
function Fetch({ model: { name, state, bytes, fetchedBytes, message } }: { model: EngineModel }) {
  const asking = useMutation({
    mutationFn: () => fetchModel(name),
    onError: (reason) => showToast(`Nothing was begun. ${reason.message}`, 'failed'),
  });
  if (state === 'here') return 'Fetched';
  if (state === 'asked') return 'Waits for the worker';
  if (state === 'fetching') {
    const percent = Math.floor((100 * fetchedBytes) / bytes);
    return (
      <span className="models-progress">
        <progress aria-label={`Fetching ${name}`} max={bytes} value={fetchedBytes} /> {percent} %
      </span>
    );
  }
  return (
    <>
      {state === 'failed' && (
        <p className="models-failed" role="status">
          <bdi>{message}</bdi>
        </p>
      )}
      <Button look="outline" size="small" busy={asking.isPending} onClick={() => asking.mutate()}>
        {state === 'failed' ? 'Try again' : 'Fetch'}
        <span className="sr-only"> {name}</span>
      </Button>
    </>
  );
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`;
}
