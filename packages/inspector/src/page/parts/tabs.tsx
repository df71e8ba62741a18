import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';

/** The properties of {@link Tabs}. */
export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly names: Readonly<Record<Name, string>>;
  readonly selected: Name;
  readonly onSelect: (name: Name) => void;
  readonly children: ComponentChildren;
}

/** Tabs and the panel of the selected one. Arrow keys, Home and End move between them. */
export function Tabs<Name extends string>(props: TabsProps<Name>): JSX.Element {
  const { label, names, selected, onSelect, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const keys = Object.keys(names) as Name[];
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const index = keys.indexOf(selected);
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: (index + keys.length - 1) % keys.length,
      ArrowRight: (index + 1) % keys.length,
      End: keys.length - 1,
      Home: 0,
    };
    const next = steps[event.key];
    const name = next === undefined ? undefined : keys[next];
    if (next === undefined || name === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(name);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {keys.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === selected}
            aria-controls={`panel-${name}`}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
          >
            {names[name]}
          </button>
        ))}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`panel-${selected}`}
        aria-labelledby={`tab-${selected}`}
      >
        {children}
      </div>
    </>
  );
}
