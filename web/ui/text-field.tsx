import '#web/styles/fields.css';
import { type ComponentProps, useId } from 'react';
import { Icon } from './icon.tsx';

interface TextFieldProps extends ComponentProps<'input'> {
  label: string;
  /** What is wrong with the text, said below it; nothing when undefined. */
  fault?: string | undefined;
}

/** A line of text with its label above. */
export function TextField({ label, fault, ...rest }: TextFieldProps) {
  const id = useId();
  const faultId = `${id}-fault`;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className="field-input"
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? faultId : undefined}
      />
      {fault && (
        <p className="field-message" id={faultId} role="alert">
          <Icon name="circle-alert" size={16} />
          {fault}
        </p>
      )}
    </div>
  );
}
