import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody } from '@/components/ui/form-dialog';
import { parseJson } from '@/components/ui/json-field';
import { kindOf } from '@/features/tasks/deeds';
import { taskFilter } from '@/features/tasks/search';
import { fieldErrors } from '@/graphql/field-errors';
import type { BulkRowFragment, CreateBulkOperationInput } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import own from './bulk.module.css';
import type { BulkAsk } from './bulk-dialog';
import { Conditions } from './chosen';
import { type Edit, EditFields } from './edit-fields';
import { PreviewBox } from './preview-box';
import { CreateBulkOperation } from './queries';
import { useBulkPreview } from './use-preview';

interface BulkFormProps {
  ask: BulkAsk;
  onMade: (bulk: BulkRowFragment) => void;
  onCancel: () => void;
}

const paths = ['input.parameters', 'input.patch', 'input.reason'] as const;

/** What the operation would do, in words and in numbers; the reason, and the parameters of a retry that changes them. */
export function BulkForm({ ask, onMade, onCancel }: BulkFormProps) {
  const { t, i18n } = useTranslation('bulk');
  const { t: tt } = useTranslation('tasks');
  const { deed, search } = ask;
  const [edit, setEdit] = useState<Edit>({ way: 'patch', text: '' });
  const [reason, setReason] = useState('');
  // A second press of the button, or a repeated request, starts no second operation.
  const [requestId] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const chosen: Pick<CreateBulkOperationInput, 'kind' | 'tasks' | 'filter'> = {
    kind: kindOf[deed],
    ...(ask.tasks ? { tasks: ask.tasks.map(({ id }) => id) } : { filter: taskFilter(ask.search) }),
  };
  const preview = useBulkPreview(search ? chosen : null);
  const action = useMutationAction(CreateBulkOperation, {
    pick: (data) => data.createBulkOperation,
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, paths);
  const value = deed === 'edit' ? edited(edit) : {};
  const count = ask.tasks ? ask.tasks.length : Number(preview.data?.total ?? 0);
  const counted = ask.tasks !== undefined || (preview.ready && count > 0 && !preview.data?.error);

  const submit = async () => {
    if (!value || !counted) return;
    const { payload } = await action.run({
      input: {
        ...chosen,
        ...value,
        ...(search && preview.data && { asOf: preview.data.asOf }),
        ...(reason.trim() && { reason: reason.trim() }),
        requestId,
      },
    });
    if (payload?.bulkOperation) onMade(payload.bulkOperation);
  };

  const shown = new Intl.NumberFormat(i18n.language).format(count);
  return (
    <FormBody
      problems={errors.rest}
      busy={action.busy}
      submit={count > 0 ? t(`what.${deed}`, { count, shown }) : t(`deed.${deed}`)}
      danger={deed === 'discard' || deed === 'cancel'}
      disabled={!value || !counted}
      onSubmit={() => void submit()}
      onCancel={onCancel}
    >
      {search ? (
        <>
          <PreviewBox preview={preview} />
          <Conditions search={search} deed={deed} />
        </>
      ) : null}
      <div className={own.words}>
        <p>{tt(`explain.${deed}`)}</p>
        <p>{t('each')}</p>
      </div>
      {deed === 'edit' ? (
        <EditFields
          edit={edit}
          onChange={setEdit}
          error={errors.at[edit.way === 'patch' ? 'input.patch' : 'input.parameters']}
        />
      ) : null}
      <TextInput
        label={tt('reason')}
        value={reason}
        maxLength={500}
        error={errors.at['input.reason']}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormBody>
  );
}

/** The part of the input that changes parameters; null while nothing, or no JSON, is typed. */
function edited(edit: Edit): Pick<CreateBulkOperationInput, 'parameters' | 'patch'> | null {
  const parsed = parseJson(edit.text);
  // The server takes null for "leave them".
  if (!parsed.ok || parsed.value === undefined || parsed.value === null) return null;
  return edit.way === 'patch' ? { patch: parsed.value } : { parameters: parsed.value };
}
