import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { EngineModel } from '#contract/steps.ts';
import { fetchModel, letModelGo } from '#web/api/engines.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** Models that can be fetched with one press; nothing is fetched unasked. */
export function ModelsTable({ models }: { models: readonly EngineModel[] }) {
  if (models.length === 0) return null;
  return (
    <div className="engine-models">
      <h3 id="models">Whisper models</h3>
      <p>
        No models come with the archive. Download one to use it; models are kept in the data folder and only used once their size and
        checksum have been verified.
      </p>
      <table className="table models-table" aria-labelledby="models">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Good at</th>
            <th scope="col">Size</th>
            <th scope="col">Licence, source</th>
            <th scope="col">
              <span className="sr-only">Download</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.name}>
              <th scope="row">{model.name}</th>
              <td>{model.goodAt}</td>
              <td className="models-size">{toMegabytes(model.bytes)}</td>
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
    onError: (reason) => showToast(`The download could not be started. ${reason.message}`, 'failed'),
  });
  if (state === 'here')
    return (
      <>
        {message !== null && <Failed message={message} />}
        <span className="models-progress">
          Downloaded <LetGo name={name} action="Remove" />
        </span>
      </>
    );
  if (state === 'asked')
    return (
      <span className="models-progress">
        Waiting for a worker <LetGo name={name} action="Cancel" />
      </span>
    );
  if (state === 'fetching') {
    const percent = Math.floor((100 * fetchedBytes) / bytes);
    return (
      <span className="models-progress">
        <progress aria-label={`Downloading ${name}`} max={bytes} value={fetchedBytes} /> {percent}% <LetGo name={name} action="Cancel" />
      </span>
    );
  }
  return (
    <>
      {state === 'failed' && <Failed message={message} />}
      <Button look="outline" size="small" busy={asking.isPending} onClick={() => asking.mutate()}>
        {state === 'failed' ? 'Try again' : 'Download'}
        <span className="sr-only"> {name}</span>
      </Button>
    </>
  );
}

function Failed({ message }: Pick<EngineModel, 'message'>) {
  return (
    <p className="models-failed" role="status">
      <bdi>{message}</bdi>
    </p>
  );
}

/** Ends what is being fetched at once; what was fetched is removed after a question, since it would have to come again. */
function LetGo({ name, action }: { name: string; action: 'Cancel' | 'Remove' }) {
  const [isAsking, setAsking] = useState(false);
  const going = useMutation({
    mutationFn: () => letModelGo(name),
    onError: (reason) => showToast(`Nothing was changed. ${reason.message}`, 'failed'),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button look="ghost" size="small" busy={going.isPending} onClick={() => (action === 'Cancel' ? going.mutate() : setAsking(true))}>
        {action}
        <span className="sr-only"> {name}</span>
      </Button>
      {isAsking && (
        <Confirm
          question={`Remove the model ${name}?`}
          action="Remove"
          busy={going.isPending}
          onConfirm={() => going.mutate()}
          onCancel={() => setAsking(false)}
        >
          <p>Videos keep the transcripts made with it. To use it again, download it again.</p>
        </Confirm>
      )}
    </>
  );
}

function toMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`;
}
