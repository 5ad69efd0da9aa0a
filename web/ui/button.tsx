/*
 * Parts of any page, which know nothing of the product: they take words, addresses and what to do. Beside them what a browser needs: storage, keys, stores.
 */
import type { ComponentProps } from 'react';
import { Spinner } from './spinner.tsx';

export type ButtonLook = 'primary' | 'outline' | 'ghost' | 'danger';
export type ButtonSize = 'small' | 'medium' | 'large';

/** The classes of a button, for links that look like one. */
export function buttonClassFor(look: ButtonLook, size: ButtonSize = 'medium'): string {
  return `btn btn-${look}${size === 'medium' ? '' : ` btn-${size}`}`;
}

interface ButtonProps extends ComponentProps<'button'> {
  look: ButtonLook;
  size?: ButtonSize;
  /** Shows a spinner in the place of its icon or label and refuses presses until the work is done; the focus stays where it is meanwhile. */
  busy?: boolean;
}

export function Button({ look, size = 'medium', busy = false, className = '', onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClassFor(look, size)} ${className}`}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
