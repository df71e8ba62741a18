import type { ComponentChildren, JSX } from 'preact';

import type { Level } from '../session/picture.ts';

/** A fact: what it is, and its value. */
export function Fact(props: {
  readonly name: string;
  readonly level?: Level | undefined;
  /** True if the value is words, which need more room. */
  readonly isText?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={props.isText === true ? 'fact is-text' : 'fact'}>
      <dt>{props.name}</dt>
      <dd class={props.level === undefined ? '' : `level-${props.level}`}>{props.children}</dd>
    </div>
  );
}

/** A word with a colour; the word says the same as the colour. */
export function Pill(props: {
  readonly level: Level;
  readonly children: ComponentChildren;
}): JSX.Element {
  return <span class={`pill pill-${props.level}`}>{props.children}</span>;
}

/** A section of a view, with its heading. */
export function Section(props: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly className?: string;
  /** True if no heading of a view is above it. */
  readonly isTop?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const Heading = props.isTop === true ? 'h2' : 'h3';
  return (
    <section class={`card ${props.className ?? ''}`}>
      <header class="card-head">
        <Heading>{props.title}</Heading>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}

/** What stands where nothing is selected, or nothing is there yet. */
export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}
