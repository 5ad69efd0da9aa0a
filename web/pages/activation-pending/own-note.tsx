import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { accountQuery } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { Button } from '#web/ui/button.tsx';

/** A few words for the administrators, who otherwise see a name and an address only. */
export function OwnNote() {
  const { data: account } = useQuery(accountQuery);
  if (!account) return null;
  return (
    <details className="own-note" open={account.note !== ''}>
      <summary>Tell the administrators who you are</summary>
      <NoteForm saved={account.note} />
    </details>
  );
}

function NoteForm({ saved }: { saved: string }) {
  const [note, setNote] = useState(saved);
  const id = useId();
  const save = useMutation({
    mutationFn: () => call('setOwnNote', { note }),
    onSuccess: () => queryClient.invalidateQueries(accountQuery),
  });
  const isTooLong = [...note].length > limits.noteMaxCodePoints;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <label htmlFor={id}>A note for the administrators, if you like: it helps them to know who asks.</label>
      <textarea
        id={id}
        rows={2}
        value={note}
        aria-invalid={isTooLong || undefined}
        aria-describedby={`${id}-said`}
        onChange={({ target }) => {
          setNote(target.value);
          save.reset();
        }}
      />
      <div className="own-note-end">
        <Button type="submit" look="outline" size="small" busy={save.isPending} disabled={isTooLong || note.trim() === saved.trim()}>
          Save the note
        </Button>
        <p id={`${id}-said`} role="status">
          {isTooLong && `A note has ${limits.noteMaxCodePoints} characters at most.`}
          {save.isSuccess && 'Saved. The administrators see it beside your name.'}
          {save.isError && `The note was not saved. ${save.error.message}`}
        </p>
      </div>
    </form>
  );
}
