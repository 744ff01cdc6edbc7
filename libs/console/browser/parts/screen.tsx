import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { plainText } from './safe-text.js';

interface ScreenProps {
  readonly title: string;
  /** One sentence about the purpose of the screen. */
  readonly lead: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen: its title gets the focus, so that a screen reader says where one is. */
export function Screen({ title, lead, children }: ScreenProps) {
  const shown = plainText(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${shown} · Tool console`;
    heading.current?.focus();
  }, [shown]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {shown}
      </h1>
      <p class="lead">{lead}</p>
      {children}
    </>
  );
}

interface TableProps {
  readonly caption: string;
  /** The headings; an empty one is of a column with buttons. */
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}

/** A table that scrolls sideways where it does not fit. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={plainText(caption)}>
      <table>
        <caption class="unseen">{plainText(caption)}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column === '' ? <span class="unseen">Actions</span> : plainText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
