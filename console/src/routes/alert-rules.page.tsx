import { getRouteApi } from '@tanstack/react-router';
import { NewRulePage, RulePage } from '@/features/alert-rules/rule-pages';
import { RulesPage } from '@/features/alert-rules/rules-page';

const listRoute = getRouteApi('/shell/alerts/rules');
const newRoute = getRouteApi('/shell/alerts/rules/new');
const oneRoute = getRouteApi('/shell/alerts/rules/$ruleId');

export function RulesRoute() {
  const search = listRoute.useSearch();
  const navigate = listRoute.useNavigate();
  return <RulesPage search={search} onSearch={(change) => void navigate({ search: change })} />;
}

export function NewRuleRoute() {
  const { job } = newRoute.useSearch();
  return <NewRulePage key={job ?? ''} job={job ?? null} />;
}

export function RuleRoute() {
  const { ruleId } = oneRoute.useParams();
  return <RulePage key={ruleId} id={ruleId} />;
}
