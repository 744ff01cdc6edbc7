import { render } from 'preact';
import { App } from './app.js';
import './styles.css';

const root = document.getElementById('console');
if (root) render(<App />, root);
