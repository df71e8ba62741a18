import { onAbort } from '../../lib/signal.ts';
import { type DiagnosedOutcome, failedOutcome, requestListeners } from '../diagnostics.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { observeBody } from './body.ts';

/** True if listeners are notified when the body of a response is over: that of a stream, such as a watch. */
export function isFollowed(request: TransportRequest, response: TransportResponse): boolean {
  const { stream = false, upgrade } = request;
  return stream && upgrade === undefined && response.status < 300 && requestListeners.size > 0;
}

/** Returns the response with a body that calls `onOver` once, when the stream is over, with the reason. */
export function followStream(
  response: TransportResponse,
  { signal }: TransportRequest,
  onOver: (outcome: DiagnosedOutcome) => void,
): TransportResponse {
  const { status } = response;
  const stream = new FollowedStream(onOver);
  // A reader that aborts need not read on.
  stream.endsWith(signal, { status });
  return observeBody(response, {
    over: (ending) => {
      if (ending !== 'failed') stream.end({ status });
    },
    translate: (error) => {
      stream.end(failedOutcome(error));
      return error;
    },
  });
}

/** Ends once, for whatever reason comes first. */
class FollowedStream {
  readonly #onOver: (outcome: DiagnosedOutcome) => void;
  #tie: Disposable | undefined;
  #isOver = false;

  constructor(onOver: (outcome: DiagnosedOutcome) => void) {
    this.#onOver = onOver;
  }

  endsWith(signal: AbortSignal | undefined, outcome: DiagnosedOutcome): void {
    this.#tie = onAbort(signal, () => this.end(outcome));
  }

  end(outcome: DiagnosedOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#tie?.[Symbol.dispose]();
    this.#onOver(outcome);
  }
}
