import { render } from 'preact';

import { App } from './app.tsx';
import { connect } from './live.ts';
import { followAddress } from './route.ts';
import { followTheme } from './theme.ts';

followTheme();
followAddress();
const place = document.getElementById('app');
if (place !== null) render(<App />, place);
void connect();
