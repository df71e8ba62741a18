import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

/** The fields that choose what a table shows. */
export function Filters({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}

/** A text to search for. */
export function SearchField(props: {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** Values to choose from; others can be entered too. */
  readonly choices?: readonly string[];
  /** True for the field that the shortcut for searching goes to. */
  readonly isMain?: boolean;
}): JSX.Element {
  const { name, value, onChange, placeholder = '', choices, isMain = false } = props;
  const list = useId();
  return (
    <label>
      <span>{name}</span>
      <input
        type="search"
        {...(isMain && { 'data-search': '' })}
        {...(choices !== undefined && { list })}
        value={value}
        placeholder={placeholder}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {choices !== undefined && (
        <datalist id={list}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </label>
  );
}

/** One of several values, each with its name for people. */
export function Choice<T extends string>(props: {
  readonly name: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, name: string])[];
  readonly onChange: (value: T) => void;
}): JSX.Element {
  const { name, value, options, onChange } = props;
  return (
    <label>
      <span>{name}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
