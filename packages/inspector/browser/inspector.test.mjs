/**
 * The page of the inspector in a real browser. The first run installs Chromium into
 * `packages/inspector/browser/node_modules`. With `CLIENT_TS_SCREENSHOTS=DIR` every view is also written as a
 * picture.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { inspectSession } from '@client-ts/inspector';
import { parseSession } from 'client-ts/observe';

import { startChromium } from './chromium.mjs';
import { CANARY, startProgram } from './program.mjs';
import { hostileSession, largeSession, sampleSession } from './sessions.mjs';

const VIEWS = {
  overview: '#/overview',
  informers: '#/informers/pods',
  object: '#/informers/pods/default%2Fshop-7d9f-4',
  queues: '#/queues/site',
  key: '#/queues/site/default%2Fshop',
  requests: '#/requests',
  waterfall: '#/requests/waterfall',
  summary: '#/requests/summary',
  elections: '#/requests/elections',
  events: '#/requests/events',
  timeline: '#/timeline',
};

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 760 };

const axe = () =>
  readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

const started = await startChromium();
const options = 'missing' in started ? { skip: started.missing } : {};
const browser = 'browser' in started ? started.browser : undefined;

after(() => browser?.close());

describe('a recorded session', options, () => {
  let server;
  before(async () => {
    server = await inspectText(sampleSession());
  });
  after(() => server?.close());

  for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    for (const colorScheme of ['dark', 'light']) {
      it(`shows every view at ${size} width, ${colorScheme}`, async (t) => {
        const page = await open(t, server, { viewport, colorScheme });
        for (const [name, hash] of Object.entries(VIEWS)) {
          await page.show(hash);
          await page.keepPicture(`${name}-${size}-${colorScheme}`);
          assert.deepEqual(await page.beyondTheEdge(), [], `${name} scrolls sideways`);
          // On a phone only the layout differs: once without the colours, which take longest.
          if (size === 'phone' && colorScheme === 'dark') continue;
          const faults = await page.accessibilityFaults({ hasColours: size === 'desktop' });
          assert.deepEqual(faults, [], name);
        }
      });
    }
  }

  it('draws the machine from what is there', async (t) => {
    const page = await open(t, server);
    const nodes = await page.tab.locator('.node-informer .node-title').allTextContents();
    assert.deepEqual(nodes, [
      'sites.example.com',
      'deployments.apps',
      'services',
      'pods',
      'secrets',
    ]);
    assert.equal(
      await page.tab.locator('.node-informer.level-bad .node-title').textContent(),
      'secrets',
    );
    assert.equal(await page.tab.locator('.node-queue .node-title').first().textContent(), 'site');
  });

  it('goes to where a person points: from a finding to the history of a key', async (t) => {
    const page = await open(t, server);
    await page.show('#/queues');
    await page.tab.getByRole('row', { name: /site/ }).click();
    await page.tab
      .getByRole('row', { name: /default\/shop/ })
      .first()
      .click();
    await page.tab.getByText('writer-fight').waitFor();
    await page.tab.getByRole('button', { name: /error/ }).first().click();
    assert.ok((await page.tab.locator('.attempt .callout').count()) > 0);
  });

  it('pauses, steps through the records and follows again', async (t) => {
    const page = await open(t, server, { hash: '#/timeline' });
    const place = page.tab.locator('.time-place');
    const total = Number(/of (\d+)/.exec((await place.textContent()) ?? '')?.[1]);
    await page.tab.keyboard.press('Space');
    await page.tab.getByRole('button', { name: 'Go to the end' }).waitFor();
    await page.tab.keyboard.press('Space');
    await page.tab.getByRole('button', { name: 'Pause' }).waitFor();
    await page.tab.keyboard.press('ArrowLeft');
    await place.filter({ hasText: `${total - 1} of ${total}` }).waitFor();
    await page.tab.getByRole('button', { name: 'Previous record' }).click();
    await place.filter({ hasText: `${total - 2} of ${total}` }).waitFor();
    const shown = page.tab.locator('.record-fields');
    assert.match((await shown.textContent()) ?? '', new RegExp(`seq${total - 2}`));
    await page.tab.keyboard.press('ArrowRight');
    await place.filter({ hasText: `${total - 1} of ${total}` }).waitFor();
    await page.tab.getByRole('button', { name: 'Go to the end' }).click();
    await place.filter({ hasText: `${total} of ${total}` }).waitFor();
  });

  it('shows the state of the time that is pointed at', async (t) => {
    const page = await open(t, server, { hash: '#/informers' });
    const state = page.tab.getByRole('row', { name: /^secrets/ }).locator('.pill');
    assert.equal(await state.textContent(), 'denied');
    const canvas = page.tab.locator('.time-canvas');
    const { width } = (await canvas.boundingBox()) ?? { width: 0 };
    // The sample begins 90 s before its end, the time line shows two minutes.
    await canvas.click({ position: { x: width * 0.3, y: 20 } });
    await state.filter({ hasText: 'live' }).waitFor();
    await page.tab.getByRole('button', { name: 'Go to the end' }).click();
    await state.filter({ hasText: 'denied' }).waitFor();
  });

  it('exports a file that it can open', async (t) => {
    const page = await open(t, server);
    const saving = page.tab.waitForEvent('download');
    await page.tab.keyboard.press('e');
    const saved = await (await saving).path();
    assert.equal(readFileSync(saved, 'utf8').trim(), sampleSession().trim());
    const picker = page.tab.getByLabel('The file of a session');
    await picker.setInputFiles({
      name: 'large.session',
      mimeType: '',
      buffer: Buffer.from(largeSession()),
    });
    await page.tab.getByText('opened large.session').waitFor();
    await picker.setInputFiles({ name: 'no.session', mimeType: '', buffer: Buffer.from('{}') });
    await page.tab.getByText('cannot open no.session').waitFor();
  });
});

describe('a running program', options, () => {
  let program;
  before(async () => {
    program = await startProgram();
    await program.maps.create({
      metadata: { name: 'web', labels: { app: 'web' } },
      data: { a: '1' },
    });
    await program.maps.create({ metadata: { name: 'broken' } });
    await program.secrets.create({ metadata: { name: 'db' }, stringData: { password: CANARY } });
  });
  after(() => program?.close());

  it('is shown as it runs, and never with a secret', async (t) => {
    const page = await open(t, program.page);
    const { tab } = page;
    const bodies = keepBodies(tab);
    await tab.locator('.top .pill', { hasText: 'live' }).waitFor();
    await tab.locator('.node-write', { hasText: 'configmaps' }).waitFor();
    await tab.locator('.node-queue', { hasText: 'copy' }).waitFor();
    await tab.locator('.findings', { hasText: 'copy: default/broken' }).waitFor();

    await page.show('#/informers/configmaps');
    await tab.getByRole('searchbox', { name: 'Name' }).fill('web');
    await tab.getByText('2 objects').waitFor();
    await tab.getByRole('searchbox', { name: 'Labels' }).fill('app=web');
    await tab.getByText('1 objects').waitFor();
    await tab
      .getByRole('grid', { name: 'Objects' })
      .getByRole('row', { name: /default\/web/ })
      .click();
    await tab.locator('.code', { hasText: 'kind: ConfigMap' }).waitFor();
    await program.maps.patch('web', { data: { a: '2' } }, { type: 'merge' });
    await tab.getByRole('tab', { name: 'Changes' }).click();
    await tab.locator('.diff .added', { hasText: 'a: "2"' }).waitFor();
    await tab.getByRole('tab', { name: 'Triggered' }).click();
    await tab.getByRole('link', { name: 'copy: default/web' }).first().click();
    await tab.getByRole('button', { name: 'Reconcile now' }).click();
    await tab.getByText('enqueued from this page').waitFor();
    await tab.locator('.waterfall', { hasText: 'configmaps default/web-copy' }).first().waitFor();

    await page.show('#/queues/copy/default%2Fbroken');
    await tab.getByText('cannot log in with Bearer').first().waitFor();
    await page.show('#/informers/secrets/default%2Fdb');
    await tab.locator('.code', { hasText: '<hidden>' }).waitFor();
    await page.show('#/requests');
    await tab
      .getByRole('grid', { name: 'Requests' })
      .getByRole('row', { name: /apply/ })
      .first()
      .click();
    await tab.getByRole('complementary', { name: 'The request' }).waitFor();
    assert.ok(bodies.length > 5);
    const secret = Buffer.from(CANARY).toString('base64');
    assert.ok(!bodies.some((body) => body.includes(CANARY) || body.includes(secret)));
    assert.ok(!(await tab.content()).includes(CANARY));
  });

  it('stands still when it is paused, and catches up', async (t) => {
    const page = await open(t, program.page, { hash: '#/queues/copy' });
    const keys = page.tab.getByRole('grid', { name: 'Keys' });
    await keys.getByRole('row', { name: /default\/web / }).waitFor();
    await page.tab.keyboard.press('Space');
    await page.tab.locator('.top .pill', { hasText: 'paused' }).waitFor();
    await program.maps.create({ metadata: { name: 'later' } });
    await program.maps.get('later-copy').catch(() => undefined);
    assert.equal(await keys.getByRole('row', { name: /default\/later / }).count(), 0);
    await page.tab.keyboard.press('Space');
    await keys.getByRole('row', { name: /default\/later / }).waitFor();
  });

  it('can be read back after it has stopped', async (t) => {
    const other = await startProgram();
    const page = await open(t, other.page);
    await page.tab.locator('.top .pill', { hasText: 'live' }).waitFor();
    await other.close();
    await page.tab.locator('.top .pill', { hasText: 'program has stopped' }).waitFor();
    await page.tab.keyboard.press('2');
    await page.tab
      .getByRole('row', { name: /configmaps/ })
      .first()
      .waitFor();
  });
});

describe('the keyboard', options, () => {
  let server;
  before(async () => {
    server = await inspectText(sampleSession());
  });
  after(() => server?.close());

  it('reaches every view and the list of shortcuts', async (t) => {
    const page = await open(t, server);
    const heading = page.tab.locator('h1');
    const names = ['Overview', 'Informers', 'Queues', 'Requests', 'Time line'];
    for (const [index, name] of names.entries()) {
      await page.tab.keyboard.press(String(index + 1));
      await heading.filter({ hasText: name }).waitFor({ state: 'attached' });
    }
    await page.tab.keyboard.press('?');
    await page.tab.getByRole('dialog').waitFor();
    assert.deepEqual(await page.accessibilityFaults(), []);
    await page.tab.keyboard.press('Escape');
    await page.tab.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('moves through a table, opens a row and comes back', async (t) => {
    const page = await open(t, server, { hash: '#/queues' });
    await page.tab.getByRole('grid', { name: 'Queues' }).focus();
    await page.tab.keyboard.press('ArrowDown');
    await page.tab.keyboard.press('Enter');
    await page.tab.getByRole('heading', { name: 'site' }).waitFor();
    await page.tab.keyboard.press('/');
    await page.tab.keyboard.type('shop');
    await page.tab
      .locator('.muted')
      .filter({ hasText: /^1 of \d+$/ })
      .waitFor();
    await page.tab.keyboard.press('Escape');
    await page.tab.keyboard.press('Escape');
    await page.tab.getByText('Select a queue').waitFor();
  });

  it('moves between tabs with the arrow keys', async (t) => {
    const page = await open(t, server, { hash: '#/requests' });
    await page.tab.getByRole('tab', { name: 'Table' }).focus();
    await page.tab.keyboard.press('ArrowRight');
    await page.tab.getByRole('tab', { name: 'Waterfall', selected: true }).waitFor();
    assert.equal(await page.focused(), 'Waterfall');
    await page.tab.keyboard.press('End');
    await page.tab.getByRole('tab', { name: 'Recorded events', selected: true }).waitFor();
    const reachable = page.tab.locator('[role=tab][tabindex="0"]');
    assert.equal(await reachable.count(), 1);
  });

  it('shows where the focus is, from the first Tab on', async (t) => {
    const page = await open(t, server);
    await page.tab.keyboard.press('Tab');
    assert.equal(await page.focused(), 'Skip to the content');
    for (let count = 0; count < 12; count += 1) {
      await page.tab.keyboard.press('Tab');
      const outline = await page.tab.evaluate(
        () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
      );
      assert.equal(outline, 'solid', await page.focused());
    }
  });

  it('changes between dark and light, and remembers it', async (t) => {
    const page = await open(t, server, { colorScheme: 'dark' });
    const theme = () =>
      page.tab.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    assert.equal(await theme(), 'dark');
    await page.tab.keyboard.press('t');
    assert.equal(await theme(), 'light');
    await page.tab.reload();
    await page.ready();
    assert.equal(await theme(), 'light');
  });
});

describe('what the page withstands', options, () => {
  it('names of objects that are markup', async (t) => {
    const server = await inspectText(hostileSession());
    t.after(() => server.close());
    const page = await open(t, server);
    await page.tab.locator('.node-informer').first().click();
    await page.tab.getByRole('heading', { level: 2 }).filter({ hasText: '<img' }).waitFor();
    await page.show('#/queues');
    await page.tab.getByRole('grid', { name: 'Queues' }).getByRole('row').nth(1).click();
    await page.tab.getByRole('grid', { name: 'Keys' }).getByRole('row').nth(1).click();
    await page.tab.locator('.attempt').first().waitFor();
    for (const hash of Object.values(VIEWS)) await page.show(hash);
    assert.equal(await page.tab.evaluate(() => Reflect.get(globalThis, 'hacked')), undefined);
    assert.equal(await page.tab.locator('img').count(), 1, 'the icon of the page');
  });

  it('10,000 records and 5,000 keys, of which it draws the visible ones', async (t) => {
    const server = await inspectText(largeSession());
    t.after(() => server.close());
    const page = await open(t, server, { hash: '#/queues/site' });
    await page.tab.getByText('5000 of 5000').waitFor();
    const grid = page.tab.getByRole('grid', { name: 'Keys' });
    assert.equal(await grid.getAttribute('aria-rowcount'), '5001');
    await grid.focus();
    await page.tab.keyboard.press('End');
    await grid.getByRole('row', { name: /default\/object-0000/ }).waitFor();
    assert.ok((await grid.getByRole('row').count()) < 60);
    await page.show('#/timeline');
    const records = page.tab.getByRole('grid', { name: 'Records' });
    await page.tab.getByText('10000 shown').waitFor();
    assert.ok((await records.getByRole('row').count()) < 80);
    await page.tab.keyboard.press('ArrowLeft');
    await page.tab.locator('.time-place').filter({ hasText: '9999 of 10000' }).waitFor();
  });

  it('a program that ends while the page is loaded', async (t) => {
    const server = await inspectText(sampleSession());
    t.after(() => server.close());
    const page = await open(t, server, { isCut: true });
    await page.tab.getByText('The program cannot be reached').waitFor();
  });
});

/** Serves the page with the text of a file. */
function inspectText(text) {
  return inspectSession(parseSession(text));
}

/** The bodies of all answers that the page reads, but for the stream, which has no end. */
function keepBodies(tab) {
  const bodies = [];
  tab.on('response', async (response) => {
    if (!response.url().includes('/api/stream')) bodies.push(await response.text().catch(() => ''));
  });
  return bodies;
}

/**
 * Opens the page for a test and watches it: a message of the console, an error or a violation of the
 * policy fails the test when it ends.
 */
async function open(
  t,
  server,
  { hash = '', viewport = DESKTOP, colorScheme = 'light', isCut = false } = {},
) {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  const tab = await context.newPage();
  tab.setDefaultTimeout(60_000);
  const trouble = [];
  tab.on('console', (message) => trouble.push(`${message.type()}: ${message.text()}`));
  tab.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  await tab.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  const ready = () => tab.locator('.node, .table, .callout').first().waitFor();
  if (isCut) await tab.route('**/api/**', (route) => route.abort());
  await tab.goto(server.url);
  await ready();
  const page = {
    tab,
    ready,
    async show(hash) {
      await tab.evaluate((next) => {
        location.hash = next;
      }, hash);
      const view = hash.split('/')[1];
      await tab.locator(`.view-${view}`).waitFor();
    },
    focused: () =>
      tab.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
      }),
    /** What is wider than the window. Empty if nothing makes the page scroll sideways. */
    beyondTheEdge: () =>
      tab.evaluate(() => {
        if (document.documentElement.scrollWidth <= innerWidth) return [];
        return [...document.querySelectorAll('body *')]
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => element.outerHTML.slice(0, 120));
      }),
    async accessibilityFaults({ hasColours = true } = {}) {
      // Evaluated by the debugger, so that the policy of the page stays as strict as it is.
      await tab.evaluate(axe());
      const { violations } = await tab.evaluate(
        (enabled) =>
          globalThis.axe.run(document, {
            resultTypes: ['violations'],
            rules: { 'color-contrast': { enabled } },
          }),
        hasColours,
      );
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`);
    },
    async keepPicture(name) {
      const directory = process.env['CLIENT_TS_SCREENSHOTS'];
      if (directory === undefined) return;
      mkdirSync(directory, { recursive: true });
      await tab.screenshot({ path: join(directory, `${name}.png`) });
    },
  };
  t.after(async () => {
    await context.close();
    if (!isCut) assert.deepEqual(trouble, []);
  });
  if (hash !== '') await page.show(hash);
  return page;
}
