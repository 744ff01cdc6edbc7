import type { ComponentChildren } from 'preact';
import { isReadOnly } from '../state/operator.js';

interface DecideButtonProps {
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly isSubmit?: boolean;
  readonly disabled?: boolean;
  readonly onClick?: () => void;
}

/** A button that leads to a decision. For operators who only read it is off, and says so. */
export function DecideButton({
  children,
  class: look,
  isSubmit = false,
  disabled = false,
  onClick,
}: DecideButtonProps) {
  const isOff = isReadOnly.value;
  return (
    <button type={isSubmit ? 'submit' : 'button'} class={look} disabled={disabled || isOff} onClick={onClick}>
      {children}
      {isOff && ' (read only)'}
    </button>
  );
}
