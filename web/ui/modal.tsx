import '#web/styles/modal.css';
import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

interface ModalProps {
  /** Read aloud when the window opens; the visible heading carries it too. */
  title: ReactNode;
  onClose: () => void;
  /** `side`: a sheet along the right edge. Below 760 px every modal is a sheet at the bottom. */
  place?: 'middle' | 'side';
  children: ReactNode;
}

/** A window over the page: keeps the focus, closes by Esc, backdrop and the cross, gives the focus back. */
export function Modal({ title, onClose, place = 'middle', children }: ModalProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <div ref={closePageBehind} className={`modal-place ${place === 'side' ? 'modal-place-side' : ''}`}>
          <Dialog.Popup className="modal">
            <Dialog.Title render={(props) => <h1 {...props}>{title}</h1>} />
            {children}
            <Dialog.Close render={<IconButton className="modal-close" icon="x" label="Close" />} />
          </Dialog.Popup>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Tab may go round by way of the browser's own bar: then it finds nothing in the page behind. Opened again before the focus goes back there. */
function closePageBehind(): () => void {
  const page = document.getElementById('root');
  page?.toggleAttribute('inert', true);
  return () => page?.toggleAttribute('inert', false);
}
