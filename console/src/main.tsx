import './app/mantine.css';
import './app/tokens.css';
import './app/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { startI18n } from './i18n/i18n';
import { initialLocale } from './i18n/locale';
import { createAppRouter } from './routes/router';
import { Session } from './session/session';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const session = new Session();
const router = createAppRouter(session);
const i18n = await startI18n(initialLocale());

createRoot(root).render(
  <StrictMode>
    <App session={session} router={router} i18n={i18n} />
  </StrictMode>,
);
