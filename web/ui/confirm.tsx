import '#web/styles/modal.css';
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

interface ConfirmProps {
  question: string;
  /** What it is about, and what follows from a yes. */
  children: ReactNode;
  /** The yes in words, as `Delete user`. */
  action: string;
  icon?: IconName;
  /** The work is under way: neither answer can be given now. */
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before what cannot be undone. Cancel has the focus first; Esc cancels; the focus goes back to where it was. */
export function Confirm({ question, children, action, icon, busy = false, onConfirm, onCancel }: ConfirmProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && !busy && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="veil" />
        <div className="modal-place">
          <AlertDialog.Popup className="modal confirm" initialFocus={cancel}>
            <AlertDialog.Title>{question}</AlertDialog.Title>
            <AlertDialog.Description render={<div />} className="confirm-about">
              {children}
            </AlertDialog.Description>
            <div className="confirm-answers">
              <Button ref={cancel} look="outline" disabled={busy} onClick={onCancel}>
                Cancel
              </Button>
              <Button look="danger" busy={busy} onClick={onConfirm}>
                {icon && !busy && <Icon name={icon} size={16} />}
                {action}
              </Button>
            </div>
          </AlertDialog.Popup>
        </div>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
