import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { plainText } from './safe-text.js';

interface PanelProps {
  readonly label: string;
  readonly onClose: () => void;
  /** Buttons and links beside the one that closes. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What one entry of a list is about, beside the list. It takes the focus, and gives it back. */
export function Panel({ label, onClose, actions, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null);
  // Before the panel is painted: a key that is pressed as soon as it is seen reaches it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    panel.current?.focus();
    return () => void (before instanceof HTMLElement && before.focus());
  }, []);
  const closeByKey = (event: KeyboardEvent) => {
    // A dialog closes by the same key.
    if (event.key === 'Escape' && event.target instanceof Element && !event.target.closest('dialog')) onClose();
  };
  return (
    <section ref={panel} class="panel" tabIndex={-1} aria-label={plainText(label)} onKeyDown={closeByKey}>
      <p class="actions">
        {actions}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
      {children}
    </section>
  );
}
