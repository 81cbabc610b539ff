import '@fontsource-variable/geist/wght.css';
import '@fontsource-variable/geist-mono/wght.css';
import './style/base.css';
import './style/frame.css';
import './style/parts.css';
import { render } from 'preact';
import { App } from './app';
import { listen } from './route';

listen();
const root = document.querySelector('#app');
if (root) render(<App />, root);
