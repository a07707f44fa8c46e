import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { JsonField } from '@/components/ui/json-field';
import own from './bulk.module.css';

/** How parameters are changed: members set in those that each task has, or all replaced. */
const ways = ['patch', 'parameters'] as const;

export interface Edit {
  way: (typeof ways)[number];
  /** JSON as typed. */
  text: string;
}

interface EditFieldsProps {
  edit: Edit;
  onChange: (edit: Edit) => void;
  error: string | undefined;
}

/** The parameters with which tasks are run again. */
export function EditFields({ edit, onChange, error }: EditFieldsProps) {
  const { t } = useTranslation('bulk');
  return (
    <div className={own.edit}>
      <SegmentedControl
        aria-label={t('edit.way')}
        value={edit.way}
        onChange={(value) => onChange({ ...edit, way: ways.find((w) => w === value) ?? 'patch' })}
        data={ways.map((value) => ({ value, label: t(`edit.${value}`) }))}
      />
      <JsonField
        label={t(`edit.${edit.way}Label`)}
        description={t(`edit.${edit.way}Hint`)}
        rows={4}
        value={edit.text}
        onChange={(text) => onChange({ ...edit, text })}
        error={error}
      />
    </div>
  );
}
