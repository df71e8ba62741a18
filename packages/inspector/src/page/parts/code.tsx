import type { JSX } from 'preact';

/** YAML with its keys set off. Text only: nothing of it is taken for markup. */
export function Yaml({ text }: { readonly text: string }): JSX.Element {
  return (
    <pre class="code" tabIndex={0} aria-label="The object as YAML">
      {text.split('\n').map((line, index) => (
        <YamlLine key={index} line={line} />
      ))}
    </pre>
  );
}

function YamlLine({ line }: { readonly line: string }): JSX.Element {
  const match = /^(\s*(?:- )*)([^\s:#'"][^:#]*|"[^"]*"|'[^']*')(:)(?=\s|$)(.*)$/.exec(line);
  if (match === null) return <span class="line">{`${line}\n`}</span>;
  const [, indent, key, colon, value] = match;
  return (
    <span class="line">
      {indent}
      <span class="key">{key}</span>
      {colon}
      <span class="value">{`${value}\n`}</span>
    </span>
  );
}

/** A difference as `diff -u` prints it. */
export function Diff({ text }: { readonly text: string }): JSX.Element {
  return (
    <pre class="code diff" tabIndex={0} aria-label="The change">
      {text
        .split('\n')
        .filter((line) => !line.startsWith('---') && !line.startsWith('+++') && line !== '')
        .map((line, index) => (
          <span key={index} class={`line ${classOf(line)}`}>{`${line}\n`}</span>
        ))}
    </pre>
  );
}

function classOf(line: string): string {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'hunk' : '';
}
