// Opens watches and counts what they receive, in a process of its own. Commands and reports are messages of the parent.
import { connect as connectHttp2 } from 'node:http2';
import { contextOf, now, requestBytes, socketOpener } from '../lib/raw-http.mjs';

/** The limit of connections that a kube-apiserver announces, and how many streams client-go opens before it knows. */
const STREAMS_PER_CONNECTION = 100;
/** In each event, with the time at which it was written. */
const MARK = '"sent":"';
/** Longer than a mark with its time. */
const MARK_LENGTH = 48;

let close = () => undefined;
let counter;

/** Counts the events in a part of a stream and how long they took; returns what the next part begins with. */
function count(text) {
  const at = now();
  let from = 0;
  for (;;) {
    const start = text.indexOf(MARK, from);
    if (start === -1) break;
    const end = text.indexOf('"', start + MARK.length);
    if (end === -1) break;
    counter.delays.push(at - Number(text.slice(start + MARK.length, end)));
    from = end;
  }
  return text.slice(Math.max(from, text.length - MARK_LENGTH));
}

/** A connection for each watch. */
function openSockets(target, path, watches, opened, ended) {
  const request = requestBytes(target, 'GET', path);
  const open = socketOpener(target);
  const sockets = Array.from({ length: watches }, () => {
    let rest;
    const socket = open((buffer, length) => {
      const text = buffer.latin1Slice(0, length);
      if (rest === undefined) opened(text.startsWith('HTTP/1.1 200'));
      rest = count(rest === undefined ? text : rest + text);
    });
    // Sent when the handshake is over.
    socket.write(request);
    return socket.on('error', ended.because).on('close', ended);
  });
  return () => sockets.forEach((socket) => socket.destroy());
}

/** As client-go does: streams of one connection until it is full, then of another. */
function openStreams(target, path, watches, opened, ended) {
  const { url, token } = target;
  const headers = {
    ':path': path,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const secureContext = contextOf(target);
  const sessions = [];
  for (let index = 0; index < watches; index++) {
    if (index % STREAMS_PER_CONNECTION === 0) {
      const session = connectHttp2(url, { secureContext });
      session.on('error', ended.because);
      sessions.push(session);
    }
    const stream = sessions.at(-1).request(headers);
    let rest = '';
    stream.on('response', (response) => opened(response[':status'] === 200));
    stream.on('data', (chunk) => {
      rest = count(rest + chunk.latin1Slice());
    });
    stream.on('error', ended.because).on('close', ended);
  }
  return () => sessions.forEach((session) => session.destroy());
}

function open({ target, path, watches, protocol }) {
  counter = { delays: [], ended: 0 };
  return new Promise((resolve) => {
    const start = now();
    const processorStart = process.cpuUsage();
    let missing = watches;
    let failed = 0;
    let reason = 'another status, or the end of the connection';
    const answered = () => {
      missing -= 1;
      if (missing > 0) return;
      const seconds = (now() - start) / 1000;
      resolve({ seconds, processorMs: processorMs(processorStart), failed, reason });
    };
    const opened = (isRight) => {
      if (!isRight) failed += 1;
      answered();
    };
    const ended = () => {
      counter.ended += 1;
      if (missing > 0) {
        failed += 1;
        answered();
      }
    };
    ended.because = (error) => {
      if (missing > 0) reason = error.message;
    };
    const opener = protocol === 'http2' ? openStreams : openSockets;
    close = opener(target, path, watches, opened, ended);
  });
}

function processorMs(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** How much has arrived; with `all`, also how long it took. */
function report({ all = false }) {
  const { delays, ended } = counter;
  const counts = { frames: delays.length, ended, processorMs: processorMs() };
  if (!all) return counts;
  const sorted = Float64Array.from(delays).sort();
  const at = (share) => sorted[Math.floor(sorted.length * share)];
  return { ...counts, p50: at(0.5), p99: at(0.99) };
}

const commands = {
  open,
  report,
  close: () => {
    close();
    return {};
  },
};

process.on('message', async ({ command, ...options }) => {
  process.send(await commands[command](options));
});
