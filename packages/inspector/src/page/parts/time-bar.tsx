import type { JSX } from 'preact';

import { formatDuration, formatTime } from '../session/format.ts';
import { cursor, follow, moment, pause, session, SPANS, spanMs, step } from '../state.ts';
import { Icon } from './icons.tsx';
import { TimeCanvas } from './time-canvas.tsx';

/** The bar below every view: pause, step, and the time line that all views share. */
export function TimeBar(): JSX.Element {
  const shown = moment.value;
  const isFollowing = cursor.value === undefined;
  const isRecorded = session.value?.isLive === false;
  const toFollow = isRecorded ? 'Go to the end' : 'Follow';
  return (
    <footer class="time-bar" aria-label="Time">
      <div class="time-controls">
        <button
          type="button"
          class={`button ${isFollowing ? '' : 'is-primary'}`}
          onClick={() => (isFollowing ? pause() : follow())}
          aria-label={isFollowing ? 'Pause' : toFollow}
          title={`${isFollowing ? 'Pause' : toFollow} (Space)`}
        >
          <Icon name={isFollowing ? 'pause' : 'play'} />
        </button>
        <button
          type="button"
          class="button"
          onClick={() => step(-1)}
          aria-label="Previous record"
          title="Previous record (←)"
        >
          <Icon name="previous" />
        </button>
        <button
          type="button"
          class="button"
          onClick={() => step(1)}
          aria-label="Next record"
          title="Next record (→)"
        >
          <Icon name="next" />
        </button>
        <select
          aria-label="Span of the time line"
          value={String(spanMs.value)}
          onChange={(event) => {
            spanMs.value = Number(event.currentTarget.value);
          }}
        >
          {SPANS.map((span) => (
            <option key={span} value={String(span)}>
              {formatDuration(span)}
            </option>
          ))}
        </select>
        <span class="time-now">{shown === undefined ? '–' : formatTime(shown.at)}</span>
        <span class="time-place">
          {shown === undefined
            ? ''
            : isFollowing && !isRecorded
              ? 'now'
              : `${shown.position - shown.log.start} of ${shown.log.end - shown.log.start}`}
        </span>
      </div>
      <div class="time-lanes">
        <ul class="lane-names" aria-hidden="true">
          <li>changes</li>
          <li>keys</li>
          <li>reconciles</li>
          <li>requests</li>
          <li>depth</li>
        </ul>
        <TimeCanvas height={96} />
      </div>
    </footer>
  );
}
