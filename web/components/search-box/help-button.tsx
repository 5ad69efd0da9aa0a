import { lazy, Suspense, useState } from 'react';

const SearchHelp = lazy(() => import('./search-help.tsx').then((module) => ({ default: module.SearchHelp })));

export function HelpButton({ onOpen }: { onOpen: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    onOpen();
    setOpen(true);
  };
  return (
    <>
      <button type="button" className="search-help" aria-label="Search help" title="Search help" aria-haspopup="dialog" onClick={open}>
        ?
      </button>
      {isOpen && (
        <Suspense>
          <SearchHelp onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
