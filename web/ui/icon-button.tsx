import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName;
  /** Read aloud, and shown by the browser when the pointer rests. */
  label: string;
  small?: boolean;
}

export function IconButton({ icon, label, small = false, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={`icon-btn ${small ? 'icon-btn-small' : ''} ${className}`} aria-label={label} title={label}>
      <Icon name={icon} size={small ? 18 : 20} />
    </button>
  );
}
