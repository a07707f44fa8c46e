import { graphql } from '@/graphql/generated';

export const RuleRow = graphql(`
  fragment RuleRow on AlertRule {
    id
    name
    description
    enabled
    zone
    severity
    openIncidents
    version
    updatedAt
    scope {
      ...ScopeFields
    }
    conditions {
      event
      count
      of
      rate
      window
      longerThan
      factor
      by
      depth
      age
    }
    windows {
      days
      from
      to
      severity
    }
    routes {
      severities
      digestAt
      channels {
        id
        name
      }
      people {
        id
        name
      }
    }
  }
`);

export const RuleDetail = graphql(`
  fragment RuleDetail on AlertRule {
    ...RuleRow
    escalation {
      after
      channels {
        id
        name
      }
      people {
        id
        name
      }
    }
    repeatEvery
    maxPerHour
    groupWait
    groupInterval
    notices
    createdBy
    createdAt
  }
`);

export const RulesQuery = graphql(`
  query AlertRules($app: ID) {
    alertRules(app: $app) {
      ...RuleRow
    }
  }
`);

export const RuleQuery = graphql(`
  query AlertRule($id: ID!) {
    alertRule(id: $id) {
      ...RuleDetail
    }
  }
`);

export const RuleTrialQuery = graphql(`
  query AlertRuleTrial($input: AlertRuleInput!, $days: Int!) {
    alertRuleTrial(input: $input, days: $days) {
      events
      incidents
      messages
      suppressed
      coveredFrom
      entries {
        at
        channel
        severity
        digest
        sent
        title
        problems
      }
      error {
        ...UserError
      }
    }
  }
`);

export const CreateRule = graphql(`
  mutation CreateAlertRule($input: AlertRuleInput!) {
    createAlertRule(input: $input) {
      alertRule {
        ...RuleDetail
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const UpdateRule = graphql(`
  mutation UpdateAlertRule($id: ID!, $input: AlertRuleInput!) {
    updateAlertRule(id: $id, input: $input) {
      alertRule {
        ...RuleDetail
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DeleteRule = graphql(`
  mutation DeleteAlertRule($id: ID!) {
    deleteAlertRule(id: $id) {
      alertRule {
        id
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const EnableRule = graphql(`
  mutation EnableAlertRule($id: ID!) {
    enableAlertRule(id: $id) {
      alertRule {
        ...RuleRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DisableRule = graphql(`
  mutation DisableAlertRule($id: ID!) {
    disableAlertRule(id: $id) {
      alertRule {
        ...RuleRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const RuleJobQuery = graphql(`
  query RuleJob($id: ID!) {
    job(id: $id) {
      id
      name
      app {
        id
        name
      }
    }
  }
`);
