import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readNewRuleSearch, readRulesSearch } from '@/features/alert-rules/search';
import { shellRoute } from './root';

export const rulesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/rules',
  validateSearch: readRulesSearch,
  component: lazyRouteComponent(() => import('./alert-rules.page'), 'RulesRoute'),
});

/** A new rule; `job` names the job that it is about. */
export const newRuleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/rules/new',
  validateSearch: readNewRuleSearch,
  component: lazyRouteComponent(() => import('./alert-rules.page'), 'NewRuleRoute'),
});

export const ruleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/rules/$ruleId',
  component: lazyRouteComponent(() => import('./alert-rules.page'), 'RuleRoute'),
});
