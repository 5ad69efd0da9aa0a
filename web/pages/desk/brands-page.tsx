import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { DeskFrame } from './desk-frame.tsx';
import '#web/styles/fields.css';
import './desk.css';
import './brands.css';

const brandList = queryOptions({
  queryKey: ['brands'],
  queryFn: ({ signal }) => call('brandList', {}, { signal }),
  // What is being typed would be compared with another list.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

/** The list of brands that films are looked through for, as a text with one brand a line. */
export function BrandsPage() {
  const found = useQuery(brandList);
  return (
    <DeskFrame tab="brands">
      <div className="table-head">
        <h2>Brands</h2>
      </div>
      <p className="desk-lead" id="brands-lead">
        What is said and written in films is looked through for these names: one brand a line, other ways to write it behind commas. A name
        that means something else as well ends with a colon; behind it stand words that tell, somewhere near it, that the brand is meant. A
        line that begins with # says nothing.
      </p>
      {found.isPending && <Spinner label="Loading brands" />}
      {found.isError && <p role="alert">{found.error.message}</p>}
      {found.data && <BrandsForm kept={found.data} />}
    </DeskFrame>
  );
}

function BrandsForm({ kept }: { kept: { list: string; version: string } }) {
  const id = useId();
  const [edited, setEdited] = useState<string | null>(null);
  const list = edited ?? kept.list;
  const replace = useMutation({
    mutationFn: () => call('replaceBrands', { list, replaces: kept.version }),
    onSuccess: ({ films: _films, ...now }) => {
      queryClient.setQueryData(brandList.queryKey, now);
      setEdited(null);
    },
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!replace.isPending && list !== kept.list) replace.mutate();
  };
  const isSaved = replace.isSuccess && edited === null;
  return (
    <form className="field" onSubmit={save}>
      <label className="field-label" htmlFor={id}>
        Brands, one a line
      </label>
      <textarea
        id={id}
        className="field-input brands-list"
        rows={22}
        spellCheck={false}
        maxLength={limits.brandListMaxCharacters}
        aria-describedby="brands-lead"
        aria-invalid={replace.isError || undefined}
        value={list}
        onChange={(event) => setEdited(event.target.value)}
      />
      <div className="brands-save">
        <Button look="primary" type="submit" busy={replace.isPending}>
          Save and look again
        </Button>
        <p role={replace.isError ? 'alert' : 'status'}>
          {replace.isError && replace.error.message}
          {isSaved && `Saved. ${films(replace.data.films)} looked through again.`}
        </p>
      </div>
    </form>
  );
}

function films(count: number): string {
  return count === 1 ? '1 film is' : `${count.toLocaleString('en')} films are`;
}
