import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { limits } from '#contract/limits.ts';
import type { BrandList } from '#contract/steps.ts';
import { call } from '#web/api/call.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { queryClient } from '#web/api/query-client.ts';
import { AskBeforeLeaving } from '#web/components/ask-before-leaving.tsx';
import { LoadFailed } from '#web/components/table/load-failed.tsx';
import { useFailure } from '#web/components/table/use-failure.ts';
import { nameCount } from '#web/components/text/count-wording.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
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
  const failure = useFailure(found);
  return (
    <DeskFrame tab="brands">
      <div className="table-head">
        <h2>Brands</h2>
      </div>
      <p className="desk-lead" id="brands-lead">
        Speech and on-screen text are searched for these names. Write one brand per line, with other spellings after commas. If the name is
        also an ordinary word, add a colon and words that usually appear near the brand. Lines starting with # are ignored.
      </p>
      {found.isPending && !failure && <Spinner label="Loading brands" />}
      {failure && <LoadFailed says={`The brands could not be loaded. ${failure.message}`} onRetry={found.refetch} />}
      {found.data && <BrandsForm kept={found.data} />}
    </DeskFrame>
  );
}

function BrandsForm({ kept }: { kept: BrandList }) {
  const id = useId();
  const [edited, setEdited] = useState<string | null>(null);
  const list = edited ?? kept.list;
  const replace = useMutation({
    mutationFn: (becomes: string) => call('replaceBrands', { list: becomes, replaces: kept.version }),
    onSuccess: ({ films: _films, ...now }, becomes) => {
      queryClient.setQueryData(brandList.queryKey, now);
      // What was typed stays when an earlier list was brought back.
      setEdited((typed) => (typed === becomes ? null : typed));
    },
    // What was typed stays, and another press puts it in the place of the list that is there now.
    onError: (reason) => (isOfAnotherList(reason) ? queryClient.refetchQueries(brandList) : undefined),
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!replace.isPending && list !== kept.list) replace.mutate(list);
  };
  const isUnsaved = () => edited !== null && edited !== kept.list;
  const isSaved = replace.isSuccess && edited === null;
  return (
    <form className="field" onSubmit={save}>
      <AskBeforeLeaving isUnsaved={isUnsaved} />
      <label className="field-label" htmlFor={id}>
        Brands, one per line
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
          Save and search again
        </Button>
        <p role={replace.isError ? 'alert' : 'status'}>
          {replace.isError && (isOfAnotherList(replace.error) ? changedMeanwhile : replace.error.message)}
          {isSaved && `Saved. ${wordFilms(replace.data.films)} being searched again.`}
        </p>
      </div>
      <ListsBefore before={kept.before} busy={replace.isPending} onBringBack={(becomes) => replace.mutate(becomes)} />
    </form>
  );
}

function isOfAnotherList(reason: Error): boolean {
  return reason instanceof CallFailed && reason.code === 'version_mismatch';
}

const changedMeanwhile =
  'Someone else has changed the list. What you typed is still here. Save again to replace their list; it stays below.';

interface ListsBeforeProps extends Pick<BrandList, 'before'> {
  busy: boolean;
  onBringBack: (list: string) => void;
}

/** Who changed the list when, each with the way back to what it was before. */
function ListsBefore({ before, busy, onBringBack }: ListsBeforeProps) {
  if (before.length === 0) return null;
  return (
    <ul className="brands-before" aria-label="Earlier versions of the list">
      {before.map(({ list, by, at }) => (
        <li key={at}>
          <span>
            Changed by <bdi>{by || 'a deleted user'}</bdi>, <LocalTime at={at} />
          </span>
          <Button look="outline" size="small" onClick={() => !busy && onBringBack(list)}>
            Restore the previous list
          </Button>
        </li>
      ))}
    </ul>
  );
}

function wordFilms(count: number): string {
  return `${nameCount(count, 'video')} ${count === 1 ? 'is' : 'are'}`;
}
