import { graphql } from '@/graphql/generated';

export const UpdateViewer = graphql(`
  mutation UpdateViewer($input: UpdateViewerInput!) {
    updateViewer(input: $input) {
      viewer {
        name
        isToken
        role
        roleInAllApps
        locale
        timeZone
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const PersonFields = graphql(`
  fragment PersonFields on Person {
    id
    name
    contacts {
      email
      mobile
      feishuId
      wecomId
      slackId
      telegramId
      discordId
    }
  }
`);

export const PeopleQuery = graphql(`
  query People {
    people {
      ...PersonFields
    }
  }
`);

export const UpdateContacts = graphql(`
  mutation UpdateContacts($input: UpdateContactsInput!) {
    updateContacts(input: $input) {
      person {
        ...PersonFields
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
